//! The folder of the built web app is there before the binary is compiled, even when nothing was built into it yet:
//! `rust_embed` resolves its path then, and a path it could not resolve finds no file later.

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    std::fs::create_dir_all("../../web/dist")
}
