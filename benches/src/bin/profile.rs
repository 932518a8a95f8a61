//! Runs one task many times over one input, for a profiler:
//! `valgrind --tool=callgrind target/release/profile agents_json "agentsdisc model" 5000 50`.
//!
//! Build it with `CARGO_PROFILE_RELEASE_DEBUG=1` for line numbers. Without a task it lists the
//! tasks.

use agentsdisc_benches::WORKS;
use agentsdisc_generator::{Layout, Request, document};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |at: usize| arguments.get(at).map(String::as_str).unwrap_or_default();
    let work = WORKS.iter().find(|work| work.name == argument(0));
    let Some((work, &kind)) = work.and_then(|work| Some((work, work.kinds.first()?))) else {
        let names: Vec<&str> = WORKS.iter().map(|work| work.name).collect();
        eprintln!("profile {} TASK [BYTES] [TIMES] [--minified]", names.join("|"));
        std::process::exit(2);
    };
    let mut tasks = (work.tasks)();
    let size = argument(2).parse().unwrap_or(5000);
    let times = argument(3).parse().unwrap_or(100_u32);
    let layout = if argument(4) == "--minified" { Layout::Minified } else { Layout::Pretty };
    let Some(task) = tasks.iter_mut().find(|task| task.name == argument(1)) else {
        tasks.iter().for_each(|task| println!("{}", task.name));
        return;
    };
    let bytes = document(&Request { kind, size, layout, seed: 1 });
    let mut sum = 0;
    for _ in 0..times {
        sum += (task.run)(std::hint::black_box(&bytes)).unwrap_or_default();
    }
    println!("{} bytes, {times} times: {sum}", bytes.len());
}
