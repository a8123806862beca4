//! Gives the model a tool that is a function of this program.
#![expect(clippy::print_stdout, reason = "the program's output")]

use claude_driver::{Claude, JsonSchema, Result, Tool};

#[derive(serde::Deserialize, JsonSchema)]
struct Stock {
    /// The article, such as "A-1".
    sku: String,
}

#[tokio::main]
async fn main() -> Result<()> {
    let stock = Tool::new("stock", "Units on hand", |stock: Stock, _context| async move {
        Ok(format!("{} units of {}", stock.sku.len(), stock.sku))
    });
    let claude = Claude::new().tools([stock.read_only()]).allowed_tools(["mcp__host__stock"]);
    println!("{}", claude.ask("How many A-1 are there?").await?);
    Ok(())
}
