//! `toolwire-bindgen WASM FOLDER NAME`: writes the JavaScript glue and the types of a wasm file, as `wasm-bindgen --target bundler`.
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [wasm, folder, name] = arguments.as_slice() else {
        eprintln!("usage: toolwire-bindgen WASM FOLDER NAME");
        return ExitCode::FAILURE;
    };
    match Bindgen::new().input_path(wasm).out_name(name).typescript(true).generate(folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}
