//! Files beside a trajectory that it names by relative paths: `trajectory_path`, `continued_trajectory_ref`, and
//! `source.path` of an image (since 1.6), which may also be absolute or an address (`nat_atif`).

use std::collections::HashSet;

use data_encoding::BASE64;

use crate::format::blocks::image;
use crate::format::files::SessionFileError;
use crate::format::own_folder::{Budget, OwnFolder};
use crate::format::probe::Probe;
use crate::format::read_options::ReadOptions;
use crate::session::json::Json;

use super::recognizes;

/// One image that is larger is not read.
const MAX_IMAGE_BYTES: u64 = 32 << 20;

/// And all of them together are no larger.
const MAX_IMAGES_BYTES: u64 = 256 << 20;

/// Where the files of a trajectory lie, and what may still be read of them.
pub(super) struct TrajectoryFiles {
    /// The folder that the paths of the trajectory at hand begin in.
    pub(super) folder: Option<OwnFolder>,
    files: Budget,
    images: Budget,
    /// The trajectories read so far.
    seen: HashSet<std::path::PathBuf>,
}

impl TrajectoryFiles {
    pub(super) fn of(options: &ReadOptions) -> TrajectoryFiles {
        let images =
            Budget { bytes: MAX_IMAGES_BYTES, file_bytes: MAX_IMAGE_BYTES, ..Budget::default() };
        let own = options.canonical().ok();
        TrajectoryFiles {
            folder: options.folder(),
            files: Budget::default(),
            images,
            seen: own.into_iter().collect(),
        }
    }

    /// The image of a path, or why it is not included.
    pub(super) fn image(&mut self, path: &str, mime_type: &str) -> Result<Json<'static>, String> {
        let (folder, name) = self.find(path)?;
        let read = self.images.read_image(&folder, name);
        let bytes = read.map_err(|error| error.to_string())?;
        Ok(image(mime_type.to_owned(), BASE64.encode(&bytes)))
    }

    /// The trajectory of a path, and the folder that it lies in; each once.
    pub(super) fn trajectory(&mut self, path: &str) -> Result<(Vec<u8>, OwnFolder), String> {
        let (folder, name) = self.find(path).map_err(|reason| format!("`{path}`: {reason}"))?;
        let place = folder.place(name);
        if place.is_ok_and(|place| !self.seen.insert(place)) {
            return Err(format!("`{path}` is shown elsewhere in this session"));
        }
        let bytes = self.files.read(&folder, name).map_err(|error| format!("`{path}`: {error}"))?;
        if !recognizes(&Probe::new(&bytes)) {
            return Err(format!("`{path}`: not a trajectory"));
        }
        Ok((bytes, folder))
    }

    /// The folder that a path leads to and the name in it. No step of it may lead out.
    fn find<'p>(&self, path: &'p str) -> Result<(OwnFolder, &'p str), String> {
        let Some(mut folder) = self.folder.clone() else {
            return Err("the session came without a place, so no file was looked for".to_owned());
        };
        if path.starts_with('/') {
            return Err(SessionFileError::Outside.to_string());
        }
        let mut steps = path.split('/').filter(|step| !matches!(*step, "" | "."));
        let name = steps.next_back().ok_or_else(|| SessionFileError::Missing.to_string())?;
        for step in steps {
            folder = folder.sub_folder(step).map_err(|error| error.to_string())?;
        }
        Ok((folder, name))
    }
}
