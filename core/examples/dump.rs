//! Prints the unified model of a file: `cargo run --example dump -- FILE`.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(std::env::args().nth(1).ok_or("usage: dump FILE")?)?;
    let document = agentsdisc_core::Document::parse(&bytes)?;
    document.put_json(&mut |piece: &[u8]| print!("{}", String::from_utf8_lossy(piece)));
    println!();
    Ok(())
}
