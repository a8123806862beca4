//! The tool that reads files: text, images, notebooks and PDFs.

use crate::raw::Raw;

wire! {
    /// A file to read (2.1.1 to 2.1.325).
    pub struct ReadInput {
        /// The file.
        pub file_path: String,
        /// The first line to read, from 1.
        pub offset: Option<f64>,
        /// How many lines.
        pub limit: Option<f64>,
        /// Which pages of a PDF, for example `1-5` (2.1.38 and later).
        pub pages: Option<String>,
        /// Read it though it is large (declared, not measured).
        pub allow_large: Option<bool>,
    }

    /// A text file (2.1.1 to 2.1.325).
    pub struct ReadText {
        /// The file and the lines that were read.
        pub file: TextFile,
        /// The artifact that was read (declared, not measured).
        pub artifact_read: Option<Raw> = "artifactRead",
    }

    /// Lines of a text file.
    pub struct TextFile {
        /// The file.
        pub file_path: Option<String> = "filePath",
        /// The lines, without the line numbers that the model sees.
        pub content: Option<String>,
        /// How many lines that is.
        pub num_lines: Option<u64> = "numLines",
        /// The first of them, from 1.
        pub start_line: Option<u64> = "startLine",
        /// How many lines the file has.
        pub total_lines: Option<u64> = "totalLines",
        /// Was it cut to fit the model (declared, not measured)?
        pub truncated_by_token_cap: Option<bool> = "truncatedByTokenCap",
    }

    /// An image (2.1.1 to 2.1.325).
    pub struct ReadImage {
        /// The image.
        pub file: ImageFile,
    }

    /// An image as the model gets it: large ones have been made smaller.
    pub struct ImageFile {
        /// The image in base64.
        pub base64: Option<String>,
        /// The media type, for example `image/png`.
        pub r#type: Option<String> = "type",
        /// The size of the file in bytes.
        pub original_size: Option<u64> = "originalSize",
        /// Width and height.
        pub dimensions: Option<ImageDimensions>,
    }

    /// The size of an image in pixels.
    pub struct ImageDimensions {
        /// Width of the file's image.
        pub original_width: Option<u64> = "originalWidth",
        /// Height of the file's image.
        pub original_height: Option<u64> = "originalHeight",
        /// Width of what the model gets.
        pub display_width: Option<u64> = "displayWidth",
        /// Height of what the model gets.
        pub display_height: Option<u64> = "displayHeight",
    }

    /// A Jupyter notebook (2.1.1 to 2.1.325).
    pub struct ReadNotebook {
        /// The notebook.
        pub file: NotebookFile,
    }

    /// A notebook's cells.
    pub struct NotebookFile {
        /// The file.
        pub file_path: Option<String> = "filePath",
        /// The cells, in order.
        pub cells: Option<Vec<NotebookCell>>,
    }

    /// A cell of a notebook.
    pub struct NotebookCell {
        /// `code`, `markdown` or `raw`.
        pub cell_type: Option<String> = "cellType" | "cell_type",
        /// The text.
        pub source: Option<String>,
        /// The name that `NotebookEdit` takes.
        pub cell_id: Option<String>,
        /// The language of a code cell.
        pub language: Option<String>,
        /// The number of its last run.
        pub execution_count: Option<u64>,
        /// What the last run gave.
        pub outputs: Option<Vec<NotebookOutput>>,
    }

    /// A piece of a cell's output.
    pub struct NotebookOutput {
        /// `stream`, `display_data`, `execute_result` or `error`.
        pub output_type: Option<String>,
        /// The output as text; name, value and traceback of an error.
        pub text: Option<String>,
        /// The output as an image.
        pub image: Option<NotebookImage>,
    }

    /// An image in a cell's output.
    pub struct NotebookImage {
        /// The image in base64.
        pub image_data: Option<String>,
        /// The media type.
        pub media_type: Option<String>,
    }

    /// A whole PDF (2.1.1 to 2.1.325).
    pub struct ReadPdf {
        /// The PDF.
        pub file: PdfFile,
    }

    /// A PDF.
    pub struct PdfFile {
        /// The file.
        pub file_path: Option<String> = "filePath",
        /// The PDF in base64.
        pub base64: Option<String>,
        /// Its size in bytes.
        pub original_size: Option<u64> = "originalSize",
    }

    /// Pages of a PDF, as images (declared, not measured).
    pub struct ReadParts {
        /// The PDF.
        pub file: PartsFile,
        /// The number of the first page.
        pub first_page: Option<u64> = "firstPage",
        /// The pages.
        pub pages: Option<Vec<PartsPage>>,
    }

    /// A PDF of which pages were drawn.
    pub struct PartsFile {
        /// The file.
        pub file_path: Option<String> = "filePath",
        /// Its size in bytes.
        pub original_size: Option<u64> = "originalSize",
        /// How many pages were drawn.
        pub count: Option<u64>,
        /// Where the images are.
        pub output_dir: Option<String> = "outputDir",
    }

    /// A page of a PDF as an image.
    pub struct PartsPage {
        /// The image in base64.
        pub base64: Option<String>,
        /// The media type.
        pub media_type: Option<String> = "mediaType",
        /// Why the page could not be drawn.
        pub error: Option<String>,
    }

    /// The model has read this file before and it has not changed since (versions between 2.1.38 and 2.1.325; not
    /// measured).
    pub struct ReadUnchanged {
        /// The file; only its name.
        pub file: TextFile,
    }
}

tagged! {
    /// What was read.
    pub enum ReadResult by "type" after [] {
        /// Lines of a text file.
        "text" => Text(Box<ReadText>),
        /// An image.
        "image" => Image(Box<ReadImage>),
        /// A Jupyter notebook.
        "notebook" => Notebook(ReadNotebook),
        /// A whole PDF.
        "pdf" => Pdf(ReadPdf),
        /// Pages of a PDF as images.
        "parts" => Parts(Box<ReadParts>),
        /// Nothing new.
        "file_unchanged" => Unchanged(Box<ReadUnchanged>),
    }
}
