//! Runs other programs. Their output goes to a log (shown after a failure) or to the terminal.
//! Failures are [`Stop`]s, never panics.

use std::fs::{self, File};
use std::io::{ErrorKind, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::tools;

/// Why a command did not succeed.
pub(crate) enum Stop {
    /// The check ran and found a problem.
    Failed(String),
    /// A program is missing. A failure if `CI=true`; otherwise the step is skipped.
    Missing { what: String, install: String },
    /// The command does not apply to this system. Not a failure.
    NotHere(String),
    /// The command line is invalid.
    Usage(String),
}

/// The note of a command that succeeded, in a few words; often empty.
pub(crate) type Outcome = Result<String, Stop>;

impl Stop {
    /// Prints the message for a single command.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Failed(why) => eprintln!("error: {why}"),
            Self::Missing { what, install } => {
                eprintln!("error: {what} is missing. Install it:\n    {install}")
            }
            Self::NotHere(why) => eprintln!("error: not supported on this system: {why}"),
            Self::Usage(why) => {
                eprintln!("error: {why}\n\nRun `cargo xtask help` for a list of commands.");
                return ExitCode::from(2);
            }
        }
        ExitCode::FAILURE
    }
}

/// Creates a failure with a message.
pub(crate) fn failed<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Failed(why.into()))
}

/// Where commands run and where their output goes.
pub(crate) struct Shell {
    /// The root folder of the repository; commands run in it.
    pub(crate) root: PathBuf,
    log: Option<(PathBuf, File)>,
    /// The start of the progress line; empty if there is none.
    progress: String,
    started: Instant,
}

impl Shell {
    /// Output goes to the terminal.
    pub(crate) fn loud() -> Self {
        Self { root: tools::root(), log: None, progress: String::new(), started: Instant::now() }
    }

    /// Output goes to `target/xtask/NAME.log`. While a command runs, a line that begins with
    /// `progress` shows it.
    pub(crate) fn logged(name: &str, progress: String) -> Result<Self, Stop> {
        let path = tools::scratch()?.join(format!("{name}.log"));
        let file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .and_then(|f| f.set_len(0).map(|()| f));
        let file = file.map_err(|e| cannot("write", &path, &e))?;
        Ok(Self { root: tools::root(), log: Some((path, file)), progress, started: Instant::now() })
    }

    /// Prints a line for the reader of the output.
    pub(crate) fn say(&mut self, line: &str) {
        match &mut self.log {
            Some((_, file)) => drop(writeln!(file, "{line}")),
            None => eprintln!("{line}"),
        }
    }

    /// Runs a command. Any exit code except 0 is a failure.
    pub(crate) fn run(&mut self, command: &mut Command) -> Result<(), Stop> {
        let status = self.status(command)?;
        if status.success() {
            Ok(())
        } else {
            failed(format!("`{}` ended with {}", describe(command), ending(status)))
        }
    }

    /// Runs a command and returns its exit status.
    pub(crate) fn status(&mut self, command: &mut Command) -> Result<ExitStatus, Stop> {
        self.say(&format!("$ {}", describe(command)));
        command.current_dir(&self.root).stdin(Stdio::null());
        if let Some((path, file)) = &self.log {
            let copy = || file.try_clone().map_err(|e| cannot("write", path, &e));
            command.stdout(copy()?).stderr(copy()?);
        }
        let mut child = command.spawn().map_err(|e| cannot_start(command, &e))?;
        self.wait(&mut child)
            .map_err(|e| Stop::Failed(format!("waiting for `{}`: {e}", describe(command))))
    }

    /// Runs a command and returns its standard output; its other output goes where all output goes.
    pub(crate) fn output(&mut self, command: &mut Command) -> Result<String, Stop> {
        self.say(&format!("$ {}", describe(command)));
        self.show_progress();
        command.current_dir(&self.root).stdin(Stdio::null()).stdout(Stdio::piped());
        match &self.log {
            Some((path, file)) => {
                command.stderr(file.try_clone().map_err(|e| cannot("write", path, &e))?)
            }
            None => command.stderr(Stdio::inherit()),
        };
        let output = command
            .spawn()
            .and_then(Child::wait_with_output)
            .map_err(|e| cannot_start(command, &e))?;
        if !output.status.success() {
            self.say(&String::from_utf8_lossy(&output.stdout));
            return failed(format!("`{}` ended with {}", describe(command), ending(output.status)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Waits for the command while the progress line counts the seconds.
    fn wait(&mut self, child: &mut Child) -> std::io::Result<ExitStatus> {
        if self.progress.is_empty() || !std::io::stderr().is_terminal() {
            return child.wait();
        }
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            self.show_progress();
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn show_progress(&mut self) {
        if self.progress.is_empty() || !std::io::stderr().is_terminal() {
            return;
        }
        let last = self.last_line();
        let text = format!("{}  {} s  {last}", self.progress, self.started.elapsed().as_secs());
        // One line only: a longer one would wrap and could not be erased.
        let width = std::env::var("COLUMNS")
            .ok()
            .and_then(|c| c.parse().ok())
            .unwrap_or(80_usize)
            .saturating_sub(1);
        let text: String = text.chars().filter(|c| !c.is_control()).take(width).collect();
        eprint!("\r\x1b[2K{text}");
        drop(std::io::stderr().flush());
    }

    /// Erases the progress line.
    pub(crate) fn clear_progress(&self) {
        if !self.progress.is_empty() && std::io::stderr().is_terminal() {
            eprint!("\r\x1b[2K");
        }
    }

    fn last_line(&mut self) -> String {
        let Some((_, file)) = &mut self.log else {
            return String::new();
        };
        let Ok(end) = file.seek(SeekFrom::End(0)) else {
            return String::new();
        };
        let mut tail = Vec::new();
        if file
            .seek(SeekFrom::Start(end.saturating_sub(400)))
            .and_then(|_| file.read_to_end(&mut tail))
            .is_err()
        {
            return String::new();
        }
        let tail = String::from_utf8_lossy(&tail);
        tail.lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or_default()
            .to_owned()
    }

    /// Returns the log; empty if output goes to the terminal.
    pub(crate) fn log_text(&self) -> String {
        let bytes = self.log.as_ref().and_then(|(path, _)| fs::read(path).ok());
        String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
    }
}

/// Returns the log of a step, or the end of a very long one.
pub(crate) fn end_of(step: &str, log: &str) -> String {
    const SHOWN: usize = 400;
    let lines: Vec<&str> = log.lines().collect();
    match lines.len().checked_sub(SHOWN) {
        None | Some(0) => log.to_owned(),
        Some(cut) => format!(
            "… {cut} earlier lines are in {step}.log of target/xtask\n{}\n",
            lines.get(cut..).unwrap_or_default().join("\n")
        ),
    }
}

/// Returns how long cargo compiled, by its lines `Finished … target(s) in 1m 05s`. `cargo -q` prints
/// none.
pub(crate) fn building(log: &str) -> Duration {
    let number = |part: &str| part.trim_end_matches(['m', 's']).parse::<f64>().ok();
    let seconds = |line: &str| {
        let (_, time) =
            line.trim_start().strip_prefix("Finished ")?.split_once(" target(s) in ")?;
        time.split(' ').try_fold(0.0, |sum, part| {
            Some(sum + number(part)? * if part.ends_with('m') { 60.0 } else { 1.0 })
        })
    };
    Duration::from_secs_f64(log.lines().filter_map(seconds).sum())
}

/// Formats a command as typed in the root folder of the repository.
pub(crate) fn describe(command: &Command) -> String {
    let root = format!("{}{}", tools::root().display(), std::path::MAIN_SEPARATOR);
    let mut text = String::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            text += &format!("{}={} ", name.to_string_lossy(), quoted(&value.to_string_lossy()));
        }
    }
    let program = Path::new(command.get_program());
    let program = if program.file_stem().is_some_and(|name| name == "cargo") {
        Path::new("cargo")
    } else {
        program
    };
    text += &quoted(&program.to_string_lossy());
    for argument in command.get_args() {
        text += " ";
        text += &quoted(&argument.to_string_lossy());
    }
    text.replace(&root, "")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,@%\\".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn ending(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit code {code}"))
}

fn cannot_start(command: &Command, error: &std::io::Error) -> Stop {
    let program = command.get_program().to_string_lossy();
    match error.kind() {
        ErrorKind::NotFound => tools::missing(&program),
        _ => Stop::Failed(format!("cannot start `{program}`: {error}")),
    }
}

/// Creates a failure about a file.
pub(crate) fn cannot(verb: &str, path: &Path, error: &std::io::Error) -> Stop {
    Stop::Failed(format!("cannot {verb} {}: {error}", path.display()))
}

pub(crate) fn read(path: &Path) -> Result<String, Stop> {
    fs::read_to_string(path).map_err(|e| cannot("read", path, &e))
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), Stop> {
    make_folder(path.parent().unwrap_or(Path::new(".")))?;
    fs::write(path, text).map_err(|e| cannot("write", path, &e))
}

pub(crate) fn make_folder(path: &Path) -> Result<(), Stop> {
    fs::create_dir_all(path).map_err(|e| cannot("create the folder", path, &e))
}

#[cfg(test)]
mod tests {
    use super::building;

    #[test]
    fn the_time_of_builds_is_found_in_a_log() {
        let log = "    Finished `c` profile [optimized] target(s) in 1m 05s\ntest a ... ok\n    Finished `dev` profile [optimized + debuginfo] target(s) in 2.50s\n";
        assert_eq!(building(log).as_millis(), 67_500);
        assert_eq!(building("finished in 3.00s").as_millis(), 0);
    }
}
