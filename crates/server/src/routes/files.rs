//! Files and folders: what `@` offers, what a file says, and where agents may work.

use std::io::Read;
use std::path::{Path, PathBuf};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::{App, blocking};
use crate::error::{ApiError, ApiResult, Code};
use crate::extract::{Body, Query, SessionId};
use crate::guard::{Deed, Roots, Who};

/// The most bytes of a file that are shown.
const MOST_BYTES: u64 = 1024 * 1024;

/// The most files that are looked at.
const MOST_FILES: usize = 50_000;

/// Which files.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct FindQuery {
    /// Letters that stand in the path in this order.
    text: String,
    /// At most so many; 50 if nobody says.
    limit: Option<usize>,
}

/// A file.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundFile {
    /// Its path from the working directory on; that of a folder ends with `/`.
    path: String,
}

/// Which file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ReadQuery {
    /// Its path from the working directory on.
    path: String,
}

/// Which folder.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct FoldersQuery {
    /// The folder; `~` at its beginning is the user's home.
    path: Option<PathBuf>,
}

/// The folders in a folder.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Folders {
    /// The folder; none, if these are the roots.
    path: Option<String>,
    /// The folders in it, as whole paths.
    folders: Vec<String>,
}

/// A folder that agents may work in.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Root {
    /// The folder; `~` at its beginning is the user's home.
    path: PathBuf,
}

/// `GET /api/v1/sessions/{id}/files`
pub(crate) async fn find(
    State(app): State<App>,
    SessionId(id): SessionId,
    Query(query): Query<FindQuery>,
) -> ApiResult<Json<Vec<FoundFile>>> {
    let (folder, roots) = working_directory(&app, &id).await?;
    let limit = query.limit.unwrap_or(50).clamp(1, 500);
    blocking(move || Ok(Json(matching(&folder, roots, &query.text, limit)))).await
}

/// `GET /api/v1/sessions/{id}/file`
pub(crate) async fn read(
    State(app): State<App>,
    SessionId(id): SessionId,
    Query(query): Query<ReadQuery>,
) -> ApiResult<Response> {
    let (folder, roots) = working_directory(&app, &id).await?;
    let bytes = blocking(move || {
        let missing = |error: std::io::Error| ApiError::new(Code::NotFound, format!("`{}`: {error}", query.path));
        let file = roots.open(&folder, Path::new(&query.path)).map_err(missing)?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(missing)?;
        Ok(bytes)
    });
    // Whatever it is, no browser is to take it for a page.
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes.await?).into_response())
}

/// `GET /api/v1/folders`
pub(crate) async fn folders(State(app): State<App>, Query(query): Query<FoldersQuery>) -> ApiResult<Json<Folders>> {
    let roots = app.roots().await?;
    let Some(path) = query.path else {
        let folders = roots.iter().map(|root| root.display().to_string()).collect();
        return Ok(Json(Folders { path: None, folders }));
    };
    blocking(move || {
        let folder = roots.folder(&path)?;
        let unreadable =
            |error: std::io::Error| ApiError::bad_request(format!("`{}` cannot be read: {error}", folder.display()));
        let entries = std::fs::read_dir(&folder).map_err(unreadable)?.filter_map(Result::ok);
        let is_folder = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let is_hidden = |entry: &std::fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
        let is_own = |entry: &std::fs::DirEntry| roots.is_own(&entry.path());
        let inner = entries.filter(|entry| is_folder(entry) && !is_hidden(entry) && !is_own(entry));
        let mut folders: Vec<String> = inner.map(|entry| entry.path().display().to_string()).collect();
        folders.sort();
        Ok(Json(Folders { path: Some(folder.display().to_string()), folders }))
    })
    .await
}

/// `GET /api/v1/roots`
pub(crate) async fn roots(State(app): State<App>) -> ApiResult<Json<Vec<String>>> {
    let roots = app.roots().await?;
    Ok(Json(roots.iter().map(|root| root.display().to_string()).collect()))
}

/// `POST /api/v1/roots`
pub(crate) async fn allow(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    Body(root): Body<Root>,
) -> ApiResult<StatusCode> {
    let given = root.path.display().to_string();
    let roots = app.roots().await?;
    let place = blocking(move || {
        let path = roots.whole(&root.path);
        let place = path.is_absolute().then(|| path.canonicalize().ok()).flatten();
        place
            .filter(|place| place.is_dir() && !roots.is_own(place))
            .ok_or_else(|| ApiError::bad_request("this is no folder; give its whole path"))
    });
    let path = place.await.map_err(|error| ApiError { message: format!("`{given}`: {}", error.message), ..error })?;
    let path = path.to_str().ok_or_else(|| ApiError::bad_request("the path is no readable text"))?.to_owned();
    app.audit(Some(&who), &Deed::RootAllowed { path: path.clone() })?;
    let now = app.now();
    app.desk(move |desk| desk.allow_root(&path, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/v1/roots`
pub(crate) async fn forbid(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    Query(root): Query<Root>,
) -> ApiResult<StatusCode> {
    let path = app.roots().await?.whole(&root.path).display().to_string();
    let known = app.desk(|desk| desk.roots()).await?.contains(&path);
    if !known {
        let text = "this folder was not allowed here; where the server was started is for whoever starts it";
        return Err(ApiError::new(Code::NotFound, text));
    }
    app.audit(Some(&who), &Deed::RootForbidden { path: path.clone() })?;
    app.desk(move |desk| desk.forbid_root(&path)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The working directory of a session, if files may be read there, and the folders in which they may.
pub(super) async fn working_directory(app: &App, id: &str) -> ApiResult<(PathBuf, Roots)> {
    let session = app.sessions().get(id).await?;
    let cwd = session.with_state(|state| state.status.cwd.clone());
    let cwd = cwd.ok_or_else(|| ApiError::new(Code::NotFound, "the agent has not said yet where it works"))?;
    let roots = app.roots().await?;
    blocking(move || Ok((roots.folder(Path::new(&*cwd))?, roots))).await
}

/// The files whose path has the letters of `text` in it in that order; those in which they stand closer come first.
fn matching(folder: &Path, roots: Roots, text: &str, limit: usize) -> Vec<FoundFile> {
    // The walk reads what is to be passed over in all of these.
    if !folder.ancestors().all(ignores_plainly) {
        return Vec::new();
    }
    let wanted: Vec<char> = text.to_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut walk = ignore::WalkBuilder::new(folder);
    // What git does not ignore is offered, however it is called; git's own folder is nobody's file.
    let is_offered = move |entry: &ignore::DirEntry| {
        entry.file_name() != ".git" && !roots.is_own(entry.path()) && ignores_plainly(entry.path())
    };
    walk.hidden(false).require_git(false).git_exclude(false).follow_links(false).filter_entry(is_offered);
    let mut found: Vec<(usize, String)> = Vec::new();
    for entry in walk.build().filter_map(Result::ok).skip(1).take(MOST_FILES) {
        let Some(path) = entry.path().strip_prefix(folder).ok().and_then(Path::to_str) else { continue };
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let path = if is_folder { format!("{path}/") } else { path.to_owned() };
        if let Some(distance) = distance(&path.to_lowercase(), &wanted) {
            found.push((distance, path));
        }
    }
    found.sort();
    found.truncate(limit);
    found.into_iter().map(|(_, path)| FoundFile { path }).collect()
}

/// Can the files be read that say what is to be passed over in a folder? One that never ends, like a device or a pipe, would be
/// read for ever; whose folder it is offers no files. What `.git` names is not read at all, since it can lead anywhere.
fn ignores_plainly(folder: &Path) -> bool {
    let is_plain = |name: &&str| match folder.join(name).metadata() {
        Ok(found) => found.is_file() && found.len() <= MOST_BYTES,
        Err(_) => true,
    };
    [".gitignore", ".ignore"].iter().all(is_plain)
}

/// How far the letters are apart, the name of the file counting most; none, if they are not all there.
fn distance(path: &str, wanted: &[char]) -> Option<usize> {
    let within = |text: &str| {
        let mut letters = text.char_indices();
        let mut first = None;
        let mut last = 0;
        for letter in wanted {
            let (at, _) = letters.find(|(_, known)| known == letter)?;
            first.get_or_insert(at);
            last = at;
        }
        Some(last - first.unwrap_or_default() + text.len() / 8)
    };
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    const ELSEWHERE: usize = 10_000;
    within(name).map(|distance| distance + path.len() / 8).or_else(|| within(path).map(|distance| distance + ELSEWHERE))
}

#[cfg(test)]
mod tests {
    use rustix::fs::{FileType, Mode};

    use super::*;

    #[test]
    fn files_are_found_by_letters_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let seen = ["src/main.rs", "src/domain.rs", "m/a/i/n.txt", "notes.md", ".github/workflows/ci.yml", ".env"];
        for file in seen.into_iter().chain(["target/main.rs", "data/main.log", ".git/config"]) {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        std::fs::write(folder.path().join(".gitignore"), "target\n").unwrap();
        let roots = Roots::new([], &folder.path().join("data"));
        let paths = |text: &str| -> Vec<String> {
            matching(folder.path(), roots.clone(), text, 10).into_iter().map(|file| file.path).collect()
        };
        assert_eq!(paths("main"), ["src/main.rs", "src/domain.rs", "m/a/i/n.txt"]);
        assert_eq!(paths("NOTES"), ["notes.md"]);
        assert_eq!(paths("zzz"), Vec::<String>::new());
        assert_eq!(paths("ciyml"), [".github/workflows/ci.yml"]);
        assert_eq!(paths("config"), Vec::<String>::new());
        // Six files and `.gitignore`, and the folders: src, m, m/a, m/a/i, .github, .github/workflows.
        assert_eq!(matching(folder.path(), roots.clone(), "", 50).len(), 13);
    }

    #[test]
    fn a_folder_that_would_be_read_for_ever_offers_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("trap/inner")).unwrap();
        std::fs::write(folder.path().join("trap/inner/main.rs"), "").unwrap();
        std::fs::write(folder.path().join("main.rs"), "").unwrap();
        // Whoever opens this to read waits until somebody writes.
        let pipe = folder.path().join("trap/.gitignore");
        rustix::fs::mknodat(rustix::fs::CWD, pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let roots = Roots::new([], &folder.path().join("data"));
        let paths = |below: &str| -> Vec<String> {
            let found = matching(&folder.path().join(below), roots.clone(), "main", 10);
            found.into_iter().map(|file| file.path).collect()
        };
        assert_eq!(paths(""), ["main.rs"]);
        assert_eq!(paths("trap"), [""; 0]);
        assert_eq!(paths("trap/inner"), [""; 0]);
    }
}
