//! Writes generated documents: one to standard output, a crawl as a folder of files, or a corpus as
//! a WARC file.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use agentsdisc_generator::{
    Defect, Kind, Layout, Mix, Request, broken, corpus, crawl, document, write_warc,
};

const USAGE: &str = "usage:
  generator document KIND [--size BYTES] [--seed N] [--minified] [--defect NAME]
  generator crawl FOLDER [--count N] [--seed N] [--kinds KIND,KIND]
  generator warc FILE [--count N] [--seed N] [--kinds KIND=SHARE,…] [--whole N] [--pages N] [--broken N] [--hostile N] [--other N]
      writes the responses of N sites. FILE - is standard output; a name that ends in .gz is compressed. The default shares of --whole,
      --pages, --broken, --hostile and --other are 700, 150, 50, 10 and 90. generator/parquet.py writes Parquet
  generator kinds
      lists every KIND
NAME: truncated, invalid-utf8, html-page, wrong-types, empty, binary, deep-nesting";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("generator: {error}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Returns the value after an option: the default if the option is absent; `None` if the value is
/// absent or invalid.
fn option<T: std::str::FromStr>(arguments: &[String], name: &str, default: T) -> Option<T> {
    match arguments.iter().position(|argument| argument == name) {
        Some(at) => arguments.get(at + 1)?.parse().ok(),
        None => Some(default),
    }
}

fn run(arguments: &[String]) -> Option<std::io::Result<()>> {
    let (command, rest) = arguments.split_first()?;
    if command == "kinds" {
        Kind::ALL.iter().for_each(|kind| println!("{}", kind.id()));
        return Some(Ok(()));
    }
    let (subject, options) = rest.split_first()?;
    let seed = option(options, "--seed", 1)?;
    match command.as_str() {
        "document" => {
            let layout = if options.iter().any(|option| option == "--minified") {
                Layout::Minified
            } else {
                Layout::Pretty
            };
            let request = Request {
                kind: Kind::from_id(subject)?,
                size: option(options, "--size", 5000)?,
                layout,
                seed,
            };
            let defect = option(options, "--defect", String::new())?;
            let bytes = if defect.is_empty() {
                document(&request)
            } else {
                broken(&request, Defect::ALL.into_iter().find(|known| known.id() == defect)?)
            };
            Some(std::io::stdout().write_all(&bytes))
        }
        "crawl" => {
            let kinds = option(options, "--kinds", "agents-txt,agents-json".to_owned())?;
            let kinds: Vec<Kind> = kinds.split(',').map(Kind::from_id).collect::<Option<_>>()?;
            Some(write_crawl(Path::new(subject), &kinds, option(options, "--count", 100)?, seed))
        }
        "warc" => {
            let usual = Mix::default();
            let kinds = option(options, "--kinds", String::new())?;
            let mix = Mix {
                kinds: if kinds.is_empty() {
                    usual.kinds
                } else {
                    kinds.split(',').map(share).collect::<Option<_>>()?
                },
                whole: option(options, "--whole", usual.whole)?,
                pages: option(options, "--pages", usual.pages)?,
                broken: option(options, "--broken", usual.broken)?,
                hostile: option(options, "--hostile", usual.hostile)?,
                other: option(options, "--other", usual.other)?,
            };
            if mix.whole + mix.pages + mix.broken + mix.hostile + mix.other == 0 {
                return None;
            }
            Some(write_corpus(Path::new(subject), &mix, option(options, "--count", 1000)?, seed))
        }
        _ => None,
    }
}

/// Parses a format with its share: `awp=3`. Without a number, the share is 1.
fn share(text: &str) -> Option<(usize, Kind)> {
    let (kind, share) = text.split_once('=').unwrap_or((text, "1"));
    Some((share.parse().ok().filter(|share| *share > 0)?, Kind::from_id(kind)?))
}

/// Writes the responses of many sites, one after another.
fn write_corpus(file: &Path, mix: &Mix, count: usize, seed: u64) -> std::io::Result<()> {
    if file == Path::new("-") {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        write_warc(corpus(mix, seed).take(count), false, &mut out)?;
        return out.flush();
    }
    let compressed = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    write_warc(corpus(mix, seed).take(count), compressed, &mut out)?;
    out.flush()
}

/// Writes each document into a folder named after its host, at its path.
fn write_crawl(folder: &Path, kinds: &[Kind], count: usize, seed: u64) -> std::io::Result<()> {
    for fetched in crawl(kinds, seed).take(count) {
        let path = folder.join(fetched.url.trim_start_matches("https://"));
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, fetched.body)?;
    }
    Ok(())
}
