//! Prints the C header of `ffi-c` on standard output. The settings are in `ffi-c/cbindgen.toml`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(root) = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2) else {
        eprintln!("the repository has an unexpected shape");
        return ExitCode::FAILURE;
    };
    let folder = root.join("ffi-c");
    let config = match cbindgen::Config::from_file(folder.join("cbindgen.toml")) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("ffi-c/cbindgen.toml: {error}");
            return ExitCode::FAILURE;
        }
    };
    match cbindgen::Builder::new().with_crate(&folder).with_config(config).generate() {
        Ok(bindings) => {
            bindings.write(std::io::stdout().lock());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cbindgen: {error}");
            ExitCode::FAILURE
        }
    }
}
