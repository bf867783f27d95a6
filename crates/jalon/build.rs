//! Creates the folder of the built web app before the binary is compiled. `rust_embed` resolves the path of the folder at compile time; if the folder
//! did not exist then, the binary would find no file in it later.

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    std::fs::create_dir_all("../../web/dist")
}
