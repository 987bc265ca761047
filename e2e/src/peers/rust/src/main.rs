//! A server and a client on the official SDK of Rust.
//!
//! usage: peer server [http <revision>]
//!        peer client <legacy | auto | pinned> <JSON config of a server> <url of mcpmux | command of mcpmux, arguments of mcpmux>

mod client;
mod server;

use std::error::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments[0].as_str() {
        "server" if arguments.len() > 1 => server::serve_at_url().await,
        "server" => server::serve_over_stdio().await,
        _ => client::use_server(&arguments[1], &arguments[2], &arguments[3..]).await,
    }
}
