//! What a tool gives back: text, images, links and structured data in, an MCP result out.

use rmcp::model::{CallToolResult, ContentBlock, Resource};
use serde::Serialize;
use serde_json::Value;

use super::error::ToolError;
use crate::base64::base64;

/// The result of a tool. Most tools give a `String`, a `&str` or a [`serde_json::Value`], which become one.
///
/// ```
/// use claude_driver::ToolOutput;
///
/// let output = ToolOutput::new().text("The plan of the deck:").image(b"\x89PNG...", "image/png");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    content: Vec<ContentBlock>,
    structured: Option<Value>,
}

impl ToolOutput {
    /// A result without content, to which parts are added.
    pub fn new() -> Self {
        ToolOutput::default()
    }

    /// Structured content. The CLI shows the model this instead of the other parts, where there are any.
    pub fn json(value: &impl Serialize) -> Result<Self, ToolError> {
        Ok(ToolOutput::from(serde_json::to_value(value)?))
    }

    /// One more part: text.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.part(ContentBlock::text(text))
    }

    /// One more part: an image, as the bytes of its file.
    pub fn image(self, bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        self.part(ContentBlock::image(base64(bytes.as_ref()), mime_type))
    }

    /// One more part: a resource, named and not included.
    pub fn link(self, uri: impl Into<String>, name: impl Into<String>) -> Self {
        self.part(ContentBlock::resource_link(Resource::new(uri, name)))
    }

    fn part(mut self, block: ContentBlock) -> Self {
        self.content.push(block);
        self
    }

    pub(super) fn into_result(self) -> CallToolResult {
        let mut result = CallToolResult::success(self.content);
        result.structured_content = self.structured;
        result
    }
}

impl From<String> for ToolOutput {
    fn from(text: String) -> Self {
        ToolOutput::new().text(text)
    }
}

impl From<&str> for ToolOutput {
    fn from(text: &str) -> Self {
        ToolOutput::new().text(text)
    }
}

impl From<Value> for ToolOutput {
    /// Structured content for an object. MCP knows no other structured content, so any other value is its JSON text.
    fn from(value: Value) -> Self {
        let output = ToolOutput::new().text(value.to_string());
        ToolOutput { structured: value.is_object().then_some(value), ..output }
    }
}

impl From<()> for ToolOutput {
    fn from((): ()) -> Self {
        ToolOutput::new()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wire(output: ToolOutput) -> Value {
        serde_json::to_value(output.into_result()).unwrap()
    }

    #[test]
    fn parts_stay_in_order() {
        let output = ToolOutput::new().text("a").image([1, 2, 3], "image/png").link("file:///b", "b");
        assert_eq!(
            wire(output)["content"],
            json!([
                {"type": "text", "text": "a"},
                {"type": "image", "data": "AQID", "mimeType": "image/png"},
                {"type": "resource_link", "uri": "file:///b", "name": "b"},
            ])
        );
    }

    #[test]
    fn only_an_object_is_structured_content() {
        let object = wire(json!({"units": 3}).into());
        assert_eq!(object["structuredContent"], json!({"units": 3}));
        assert_eq!(object["content"], json!([{"type": "text", "text": r#"{"units":3}"#}]));
        let list = wire(ToolOutput::json(&[1, 2]).unwrap());
        assert_eq!(list.get("structuredContent"), None);
        assert_eq!(list["content"], json!([{"type": "text", "text": "[1,2]"}]));
        assert_eq!(wire(().into())["content"], json!([]));
    }
}
