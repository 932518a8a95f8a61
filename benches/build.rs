//! Builds the shim over simdjson if its header and library are installed; otherwise the benchmarks
//! run without that peer.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(simdjson)");
    println!("cargo::rerun-if-changed=cpp/simdjson.cpp");
    println!("cargo::rerun-if-env-changed=CXX");
    let Ok(library) = pkg_config::Config::new().cargo_metadata(false).probe("simdjson") else {
        return;
    };
    // On-Demand is compiled in the shim, for the instruction set of this machine.
    let built = cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("cpp/simdjson.cpp")
        .includes(&library.include_paths)
        .flag("-O3")
        .flag("-march=native")
        .define("NDEBUG", None)
        .warnings(false)
        .try_compile("agentsdisc_simdjson_shim");
    if let Err(error) = built {
        println!(
            "cargo::warning=simdjson is installed, but its shim does not build; continuing without it: {error}"
        );
        return;
    }
    for path in &library.link_paths {
        println!("cargo::rustc-link-search=native={}", path.display());
    }
    println!("cargo::rustc-link-lib=dylib=simdjson");
    println!("cargo::rustc-cfg=simdjson");
}
