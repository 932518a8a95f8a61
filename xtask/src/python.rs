//! The Python package: creates a virtual environment in `.venv`, builds and installs the wheel with
//! maturin, and runs its checks. Finished work is not repeated: small files in `.venv` record its
//! inputs.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::shell::{Outcome, Shell, Stop, cannot, failed, make_folder, read, write};
use crate::tools::{self, exists, files};

/// Held while the environment changes: steps that run in parallel need the same one.
static CHANGE: Mutex<()> = Mutex::new(());

/// What builds the wheel.
const BUILD: &str = "python/requirements-build.txt";
/// What checks it, and what builds it.
const REQUIREMENTS: &str = "python/requirements-dev.txt";
/// Spark, Ray and others: hundreds of megabytes, so they are installed only for their step.
const ENGINES: &str = "python/requirements-engines.txt";
/// The tests that need them.
const ENGINE_TESTS: &str = "python/tests/test_engines.py";
/// The frameworks of docs/frameworks.md. Some require older packages than the tests.
const FRAMEWORKS: &str = "python/requirements-frameworks.txt";
/// The tests that need them.
const FRAMEWORK_TESTS: &str = "python/tests/test_frameworks.py";
/// Their environment.
const FRAMEWORKS_FOLDER: &str = ".venv/frameworks";
/// The tests of `cargo xtask hostile` itself, which take a minute.
const CAMPAIGN_TESTS: &str = "python/tests/test_hostile_campaign.py";
/// What checks wheels before they are published, and zig, which links them for other systems.
const RELEASE: &str = "python/requirements-release.txt";
/// Their environment.
const RELEASE_FOLDER: &str = ".venv/release";
/// What builds the documentation site.
const SITE: &str = "python/requirements-docs.txt";
/// Its environment: the generator requires other versions than the tests.
const SITE_FOLDER: &str = ".venv/site";
/// The oldest Python whose stable ABI has the buffer protocol.
const OLDEST: &str = "3.11";

/// The build of the wheel: as users build it, or for tests, where changes of the core compile much
/// faster.
#[derive(Clone, Copy)]
enum Build {
    Release,
    Tests,
}

pub(crate) fn lint(shell: &mut Shell) -> Outcome {
    let python = development(shell)?;
    let sources = [
        "python",
        "xtask/src/demo.py",
        "xtask/src/demo_crawl.py",
        "xtask/src/demo_search.py",
        "generator/parquet.py",
        "xtask/site",
        "conformance",
    ];
    shell.run(module(&python, "ruff").arg("check").args(sources))?;
    shell.run(module(&python, "ruff").args(["format", "--check"]).args(sources))?;
    Ok(String::new())
}

/// Returns the Python of an environment with the wheel and everything that its tests need.
pub(crate) fn for_tests(shell: &mut Shell) -> Result<PathBuf, Stop> {
    let python = development(shell)?;
    wheel(shell, &python, Build::Tests)?;
    Ok(python)
}

pub(crate) fn tests(shell: &mut Shell) -> Outcome {
    let python = for_tests(shell)?;
    // Many tests wait for programs that they start, so one more runs than there are cores.
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let processes = (cores + 1).min(8).to_string();
    let beside = ["-n", &processes, "--dist", "worksteal"];
    let mut tests = module(&python, "pytest");
    tests.args(["-q", "python/tests", "--ignore", ENGINE_TESTS, "--ignore", FRAMEWORK_TESTS]);
    if !tools::is_long() {
        tests.args(["--ignore", CAMPAIGN_TESTS]);
    }
    // An empty value is none.
    tests.env("AGENTSDISC_LONG", if tools::is_long() { "1" } else { "" });
    shell.run(tests.args(beside))?;
    Ok(String::new())
}

pub(crate) fn engines(shell: &mut Shell) -> Outcome {
    if !tools::is_long() {
        return Ok("Spark and Ray with --long".into());
    }
    let python = for_tests(shell)?;
    if !tools::succeeds(Command::new("java").arg("-version")) {
        return Err(tools::missing("java"));
    }
    let wanted = read(&shell.root.join(ENGINES))?;
    once(shell, "engines", &wanted, |shell| locked(shell, &python, ENGINES))?;
    shell.run(module(&python, "pytest").args(["-q", ENGINE_TESTS]))?;
    Ok(String::new())
}

/// Runs the recipes of docs/frameworks.md, and Scrapy's own tests, in an environment of their own.
pub(crate) fn frameworks(shell: &mut Shell) -> Outcome {
    if !tools::is_long() {
        return Ok("the recipes run with --long".into());
    }
    let base = for_tests(shell)?;
    let python = program(&shell.root.join(FRAMEWORKS_FOLDER), "python");
    let source = shell.root.join(FRAMEWORKS_FOLDER).join("source");
    let wanted = read(&shell.root.join(FRAMEWORKS))?;
    once(shell, "frameworks", &wanted, |shell| {
        shell.run(module(&base, "venv").args(["--clear", FRAMEWORKS_FOLDER]))?;
        locked(shell, &python, FRAMEWORKS)?;
        // Scrapy's tests are in its source package only.
        let from = wanted.lines().skip_while(|line| !line.starts_with("scrapy=="));
        let entry: Vec<&str> = from.take_while(|line| !line.contains('#')).collect();
        let only = shell.root.join(FRAMEWORKS_FOLDER).join("scrapy.txt");
        write(&only, &entry.join("\n"))?;
        let mut download = module(&python, "pip");
        download.args(["--disable-pip-version-check", "download", "--quiet", "--no-deps"]);
        download.args(["--no-build-isolation", "--no-binary", "scrapy", "--require-hashes"]);
        shell.run(download.arg("-r").arg(&only).arg("--dest").arg(&source))
    })?;
    let built = files(&tools::scratch()?.join("wheel"), "whl");
    shell.run(pip(&python).args(["--force-reinstall", "--no-deps"]).args(built))?;
    let mut tests = module(&python, "pytest");
    shell.run(tests.args(["-q", FRAMEWORK_TESTS]).env("AGENTSDISC_SCRAPY", source))?;
    Ok(String::new())
}

/// Returns the Python of the environment that builds and checks what is published.
pub(crate) fn for_release(shell: &mut Shell) -> Result<PathBuf, Stop> {
    own(shell, "release", RELEASE_FOLDER, RELEASE)
}

/// Returns the Python of an environment with what builds the documentation site.
pub(crate) fn for_site(shell: &mut Shell) -> Result<PathBuf, Stop> {
    own(shell, "site", SITE_FOLDER, SITE)
}

/// Returns the Python of an environment of its own with the packages of a list.
fn own(shell: &mut Shell, name: &str, folder: &str, list: &str) -> Result<PathBuf, Stop> {
    let base = environment(shell)?;
    let python = program(&shell.root.join(folder), "python");
    let wanted = read(&shell.root.join(list))?;
    once(shell, name, &wanted, |shell| {
        shell.run(module(&base, "venv").args(["--clear", folder]))?;
        locked(shell, &python, list)
    })?;
    Ok(python)
}

pub(crate) fn types(shell: &mut Shell) -> Outcome {
    let python = for_tests(shell)?;
    let Some(package) = typed_package(&shell.root.join("python"), 3) else {
        return failed(
            "no folder under python/ contains py.typed, which marks the package as typed; add it",
        );
    };
    shell.run(module(&python, "mypy").arg("--strict").arg(&package))?;
    if package.join("_agentsdisc.pyi").exists() {
        let mut command = module(&python, "mypy.stubtest");
        command.arg("agentsdisc._agentsdisc");
        if exists("python/stubtest-allowlist.txt") {
            command.args(["--allowlist", "python/stubtest-allowlist.txt"]);
        }
        shell.run(&mut command)?;
    }
    Ok(String::new())
}

/// Returns the folder with the package's `py.typed`.
fn typed_package(folder: &Path, depth: u8) -> Option<PathBuf> {
    if folder.join("py.typed").exists() {
        return Some(folder.to_path_buf());
    }
    let below =
        fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    below.filter(|_| depth > 0).find_map(|path| typed_package(&path, depth - 1))
}

/// Returns a command that runs a module of the environment's Python.
pub(crate) fn module(python: &Path, name: &str) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", name]);
    command
}

fn pip(python: &Path) -> Command {
    let mut command = module(python, "pip");
    command.args([
        "--disable-pip-version-check",
        "--no-input",
        "install",
        "--quiet",
        // The modules that are used are compiled when they are imported.
        "--no-compile",
    ]);
    command
}

/// Installs the packages of a file, whose hashes pip compares.
fn locked(shell: &mut Shell, python: &Path, file: &str) -> Result<(), Stop> {
    shell.run(pip(python).args(["--require-hashes", "-r", file]))
}

/// `cargo xtask requirements`: writes each file of requirements from the `.in` file beside it, with
/// all dependencies and hashes, for every system and for all versions of Python. A version that the
/// file has stays while it fits.
pub(crate) fn requirements(shell: &mut Shell) -> Outcome {
    tools::need("uv")?;
    // The later files refer to the earlier ones.
    for file in [BUILD, REQUIREMENTS, ENGINES, FRAMEWORKS, RELEASE, SITE] {
        let mut command = Command::new("uv");
        command
            .args(["pip", "compile", "--quiet", "--universal"])
            .args(["--generate-hashes", "--python-version", OLDEST])
            .args(["--custom-compile-command", "cargo xtask requirements"])
            .arg(Path::new(file).with_extension("in"))
            .args(["--output-file", file]);
        shell.run(&mut command)?;
    }
    Ok(String::new())
}

/// Returns the path of a program in the environment.
pub(crate) fn script(shell: &Shell, name: &str) -> PathBuf {
    program(&shell.root.join(".venv"), name)
}

fn program(environment: &Path, name: &str) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    environment.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Returns the Python of `.venv`. Creates the environment if it is absent or does not run.
pub(crate) fn environment(shell: &mut Shell) -> Result<PathBuf, Stop> {
    let _change = CHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    let python = script(shell, "python");
    if python.exists() && is_new_enough(&python) && tools::succeeds(&mut with_version(&python)) {
        return Ok(python);
    }
    let base = interpreter()?;
    shell.say("creating the virtual environment .venv");
    if !tools::succeeds(Command::new(&base).args(["-c", "import ensurepip, venv"])) {
        return Err(tools::missing("python3-venv"));
    }
    shell.run(Command::new(&base).args(["-m", "venv", "--clear"]).arg(shell.root.join(".venv")))?;
    Ok(python)
}

fn with_version(python: &Path) -> Command {
    let mut command = module(python, "pip");
    command.arg("--version");
    command
}

/// Returns a Python that is new enough: the one in `PYTHON`, otherwise the first that is found.
pub(crate) fn interpreter() -> Result<PathBuf, Stop> {
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    let usual = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"]
        .map(PathBuf::from);
    let found = named.into_iter().chain(usual).find(|python| is_new_enough(python));
    found.ok_or_else(|| match tools::missing("python3") {
        Stop::Missing { install, .. } => Stop::Missing {
            what: format!("Python {OLDEST} or newer"),
            install: format!("{install} (or set PYTHON=/path/to/python3)"),
        },
        other => other,
    })
}

fn is_new_enough(python: &Path) -> bool {
    tools::succeeds(
        Command::new(python).args(["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]),
    )
}

/// Creates the environment with all development tools in the versions of `requirements-dev.txt`.
fn development(shell: &mut Shell) -> Result<PathBuf, Stop> {
    let python = environment(shell)?;
    let wanted = read(&shell.root.join(REQUIREMENTS))?;
    once(shell, "requirements", &wanted, |shell| locked(shell, &python, REQUIREMENTS))?;
    Ok(python)
}

/// Creates the environment for the demo: what builds the wheel, and the wheel.
pub(crate) fn for_users(shell: &mut Shell) -> Result<PathBuf, Stop> {
    let python = environment(shell)?;
    let wanted = read(&shell.root.join(BUILD))?;
    once(shell, "build", &wanted, |shell| locked(shell, &python, BUILD))?;
    wheel(shell, &python, Build::Release)?;
    Ok(python)
}

/// Builds the wheel and installs it with the packages of its command line, unless the sources are
/// unchanged and both the file and the command are still there.
fn wheel(shell: &mut Shell, python: &Path, how: Build) -> Result<(), Stop> {
    tools::need("cargo")?;
    let profile = match how {
        Build::Release => "release",
        Build::Tests => "wheel-for-tests",
    };
    // The state includes the folder, because programs in .venv contain the path of their Python: a
    // moved checkout needs new ones.
    let state = format!("{} {profile} {}", fingerprint(&shell.root)?, shell.root.display());
    let folder = tools::scratch()?.join("wheel");
    if !script(shell, "agentsdisc").exists() || files(&folder, "whl").is_empty() {
        drop(fs::remove_file(shell.root.join(".venv/agentsdisc-wheel")));
    }
    once(shell, "wheel", &state, |shell| {
        make_folder(&folder)?;
        for old in files(&folder, "whl") {
            fs::remove_file(&old).map_err(|e| cannot("remove", &old, &e))?;
        }
        let mut build = module(python, "maturin");
        // `linux`: the wheel is installed where it is built, so it need not bundle libraries for
        // other machines.
        build
            .args([
                "build",
                "--profile",
                profile,
                "--manifest-path",
                "python/Cargo.toml",
                "--interpreter",
            ])
            .arg(python);
        if cfg!(target_os = "linux") {
            build.args(["--compatibility", "linux"]);
        }
        shell.run(build.arg("--out").arg(&folder))?;
        let Some(wheel) = files(&folder, "whl").into_iter().next() else {
            return failed(format!("maturin wrote no wheel into {}", folder.display()));
        };
        // The version does not change between builds, so pip must be forced to replace the package.
        shell.run(pip(python).args(["--force-reinstall", "--no-deps"]).arg(&wheel))?;
        shell.run(pip(python).arg(format!("{}[cli,http]", wheel.display())))
    })
}

/// Runs an action, unless the environment records that it was run with the same `state`.
fn once(
    shell: &mut Shell,
    name: &str,
    state: &str,
    action: impl FnOnce(&mut Shell) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let _change = CHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    let stamp = shell.root.join(".venv").join(format!("agentsdisc-{name}"));
    if fs::read_to_string(&stamp).is_ok_and(|done| done == state) {
        return Ok(());
    }
    // Remove the record first: it is invalid while the action runs.
    drop(fs::remove_file(&stamp));
    action(shell)?;
    write(&stamp, state)
}

/// Returns a value that changes if any input of the wheel changes.
fn fingerprint(root: &Path) -> Result<String, Stop> {
    let mut hash = DefaultHasher::new();
    let mut paths = vec![
        root.join("Cargo.toml"),
        root.join("Cargo.lock"),
        root.join("core"),
        root.join("crawl"),
        root.join("python"),
    ];
    while let Some(path) = paths.pop() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let made = name.starts_with('.')
                || matches!(name.as_str(), "target" | "tests" | "__pycache__");
            if !made {
                let entries = fs::read_dir(&path).map_err(|e| cannot("read", &path, &e))?;
                let mut below: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
                below.sort();
                paths.extend(below);
            }
        } else if !matches!(path.extension().and_then(|e| e.to_str()), Some("so" | "pyc")) {
            let bytes = fs::read(&path).map_err(|e| cannot("read", &path, &e))?;
            (path.strip_prefix(root).unwrap_or(&path), bytes).hash(&mut hash);
        }
    }
    Ok(format!("{:016x}", hash.finish()))
}
