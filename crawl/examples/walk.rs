//! Counts the documents of archives: `walk [--all] [--threads N] FILE…`.

use std::error::Error;

use agentsdisc_crawl::{Options, Reader};

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--all" => options.all_records = true,
            "--threads" => options.threads = words.next().unwrap_or_default().parse()?,
            path => {
                let (mut documents, mut bytes, mut failed) = (0u64, 0, 0u64);
                let mut reader = Reader::open(path, options.clone())?;
                for item in reader.by_ref() {
                    documents += 1;
                    bytes += item.body.len();
                    failed += u64::from(item.problem.is_some());
                }
                let passed: u64 = reader.passed().iter().map(|(_, count)| count).sum();
                println!(
                    "{path}: {documents} items with {bytes} bytes, {failed} of them errors; {passed} records passed over"
                );
            }
        }
    }
    Ok(())
}
