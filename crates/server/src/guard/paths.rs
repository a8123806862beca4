//! Which folders agents may work in. The data folder is never one of them, even if it is beneath one that is: in it are the
//! key, who may come in, and what every other session said.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use journal::{Data, Desk};
use live::Options;

use super::beneath::open_beneath;
use super::values::folders_of;
use crate::error::{ApiError, ApiResult, Code};

/// The folders that agents may work in, in their true places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roots {
    all: Vec<PathBuf>,
    /// The data folder.
    own: PathBuf,
    /// The home of whoever started the server.
    home: Option<PathBuf>,
}

impl Roots {
    /// Of these folders, given by their true places, those that are still there and are not in the data folder. Whoever may
    /// write above one can put a link in its place, and that leads nowhere: what was allowed is the place and not the name.
    pub(crate) fn new(folders: impl IntoIterator<Item = PathBuf>, data: &Path) -> Roots {
        let own = data.canonicalize().unwrap_or_else(|_| data.to_owned());
        let home = std::env::home_dir().map(|home| home.canonicalize().unwrap_or(home));
        let mut roots = Roots { all: Vec::new(), own, home };
        let there = folders.into_iter().filter_map(|folder| {
            let place = folder.canonicalize().ok()?;
            (place == folder).then_some(place)
        });
        roots.all = there.filter(|folder| !roots.is_own(folder)).collect();
        roots
    }

    /// Those that agents may work in now: where the server was started for, and what was allowed since.
    pub(crate) fn now(started_for: &[PathBuf], desk: &mut Desk, data: &Data) -> journal::Result<Roots> {
        let allowed = desk.roots()?.into_iter().map(PathBuf::from);
        Ok(Roots::new(started_for.iter().cloned().chain(allowed), data.path()))
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Path> {
        self.all.iter().map(PathBuf::as_path)
    }

    /// What `~` stands for.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// A path as a person writes it: `~` at its beginning is the home. That of others, `~ana`, is no concern of agents.
    pub(crate) fn whole(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), &self.home) {
            (Ok(inner), Some(home)) => home.join(inner),
            _ => path.to_owned(),
        }
    }

    /// Is a true place in the data folder?
    pub(crate) fn is_own(&self, place: &Path) -> bool {
        place.starts_with(&self.own)
    }

    /// Where an agent with these options would work, if it may work there and in all other folders that it would be given, and
    /// the files are there as well that say which programs are started for it.
    pub(crate) fn admit(&self, options: &Options) -> ApiResult<PathBuf> {
        let unknown = || ApiError::bad_request("nobody knows in which folder this session worked");
        let cwd = options.cwd.as_deref().ok_or_else(unknown)?;
        // What a terminal was told may begin where the agent works.
        let whole = |path: &PathBuf| cwd.join(self.whole(path));
        let of_settings = options.settings.as_ref().map(folders_of).transpose()?.unwrap_or_default();
        let folders = options.directories.iter().chain(&options.plugin_dirs).chain(&options.project_config_root);
        folders.chain(&of_settings).try_for_each(|folder| self.folder(&whole(folder)).map(|_| ()))?;
        options.mcp_files.iter().try_for_each(|file| self.place(&whole(file)).map(|_| ()))?;
        self.folder(cwd)
    }

    /// The true place of a folder, if agents may work there.
    pub(crate) fn folder(&self, path: &Path) -> ApiResult<PathBuf> {
        let place = self.place(path)?;
        if !place.is_dir() {
            return Err(ApiError::bad_request(format!("`{}` is no folder", path.display())));
        }
        Ok(place)
    }

    /// The true place of a file or a folder, if agents may work there. What is wrong is said of the path as it was written.
    pub(crate) fn place(&self, path: &Path) -> ApiResult<PathBuf> {
        let whole = self.whole(path);
        if !whole.is_absolute() {
            return Err(ApiError::bad_request(format!("`{}` is no absolute path", path.display())));
        }
        // Outside of the roots not even that tells anything: whether it is there.
        let outside = || {
            let text = format!(
                "agents may not work in `{}`: allow it with `POST /api/v1/roots`, or start the server there",
                path.display()
            );
            ApiError::new(Code::OutsideRoots, text)
        };
        let place = whole.canonicalize().map_err(|_| {
            let known =
                self.all.iter().any(|root| whole.starts_with(root)) && !has_dots(&whole) && !self.is_own(&whole);
            if known { ApiError::bad_request(format!("`{}` is not there", path.display())) } else { outside() }
        })?;
        if self.is_own(&place) {
            let text = format!("`{}` is Quarterdeck's own folder, and no place to work in", path.display());
            return Err(ApiError::new(Code::OutsideRoots, text));
        }
        let within = self.all.iter().any(|root| place.starts_with(root));
        if within { Ok(place) } else { Err(outside()) }
    }

    /// Opens a regular file beneath a folder, given by its true place, if it is none of the data folder.
    pub(crate) fn open(&self, folder: &Path, path: &Path) -> io::Result<File> {
        open_beneath(folder, path, &self.own)
    }
}

fn has_dots(path: &Path) -> bool {
    path.components().any(|part| matches!(part, Component::ParentDir))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn agents_work_in_the_roots_and_nowhere_else() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("root/inner")).unwrap();
        std::fs::create_dir_all(base.join("root-not")).unwrap();
        symlink(base.join("root-not"), base.join("root/link")).unwrap();
        let roots = Roots::new([base.join("root")], &base.join("data"));
        assert_eq!(roots.folder(&base.join("root/inner/../inner")).unwrap(), base.join("root/inner"));
        for wrong in ["root-not", "root/link", "root/../root-not", "nowhere", "root/../nowhere"] {
            assert_eq!(roots.folder(&base.join(wrong)).unwrap_err().code, Code::OutsideRoots, "{wrong}");
        }
        assert_eq!(roots.folder(&base.join("root/nothing")).unwrap_err().code, Code::BadRequest);
        assert_eq!(roots.folder(Path::new("root")).unwrap_err().code, Code::BadRequest);
    }

    #[test]
    fn a_link_in_the_place_of_a_root_leads_nowhere() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        for folder in ["above/root", "other/root"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
        }
        let root = base.join("above/root");
        let roots = || Roots::new([root.clone()], &base.join("data"));
        assert_eq!(roots().iter().collect::<Vec<_>>(), [root.as_path()]);
        // In its own place, or above it.
        for (swapped, link) in [("above/root", "/"), ("above", "other")] {
            std::fs::rename(base.join(swapped), base.join("away")).unwrap();
            symlink(base.join(link), base.join(swapped)).unwrap();
            assert_eq!(roots().iter().count(), 0, "{swapped}");
            assert_eq!(roots().folder(&root).unwrap_err().code, Code::OutsideRoots, "{swapped}");
            std::fs::remove_file(base.join(swapped)).unwrap();
            assert_eq!(roots().iter().count(), 0, "it is not there");
            std::fs::rename(base.join("away"), base.join(swapped)).unwrap();
        }
        assert_eq!(roots().folder(&root).unwrap(), root, "it is there again");
    }

    #[test]
    fn a_path_can_begin_at_home() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("ana/src/~")).unwrap();
        std::fs::create_dir_all(base.join("ben")).unwrap();
        let roots = Roots::new([base.join("ana/src")], &base.join("ana/src/data"));
        let roots = Roots { home: Some(base.join("ana")), ..roots };
        for (path, folder) in [("~/src", "ana/src"), ("~//src/", "ana/src"), ("~/src/~", "ana/src/~")] {
            assert_eq!(roots.folder(Path::new(path)).unwrap(), base.join(folder), "{path}");
        }
        for outside in ["~", "~/", "~/../ben", "~/src/../../ben", "~/nothing", "~/src/data"] {
            let refusal = roots.folder(Path::new(outside)).unwrap_err();
            assert_eq!(refusal.code, Code::OutsideRoots, "{outside}");
            assert!(refusal.message.contains(&format!("`{outside}`")), "as it was written: {}", refusal.message);
        }
        for wrong in ["~ana/src", "src/~", "~/src/nothing"] {
            assert_eq!(roots.folder(Path::new(wrong)).unwrap_err().code, Code::BadRequest, "{wrong}");
        }
        let homeless = Roots { home: None, ..roots };
        assert_eq!(homeless.folder(Path::new("~/src")).unwrap_err().code, Code::BadRequest);
    }

    #[test]
    fn our_own_folder_is_no_place_for_agents() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("data/sessions")).unwrap();
        symlink(base.join("data"), base.join("link")).unwrap();
        let roots = Roots::new([base.clone(), base.join("data/sessions")], &base.join("link"));
        assert_eq!(roots.iter().collect::<Vec<_>>(), [base.as_path()]);
        for wrong in ["data", "data/sessions", "link", "link/sessions", "data/nothing"] {
            assert_eq!(roots.folder(&base.join(wrong)).unwrap_err().code, Code::OutsideRoots, "{wrong}");
        }
        assert_eq!(roots.folder(&base).unwrap(), base);
    }
}
