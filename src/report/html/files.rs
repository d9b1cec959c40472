//! Writes the pages to files.

use std::collections::BTreeSet;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::items::{Campaign, Item, items};
use super::{cluster, index};
use crate::report::example::written_or_best;

/// Write the pages into `out`, and return the path of the index.
pub fn write_pages(campaign: &Campaign<'_>, out: &Utf8Path) -> Result<Utf8PathBuf> {
    let mut items = items(campaign);
    let folder = out.join("clusters");
    fs_err::create_dir_all(&folder)?;
    for index in 0..items.len() {
        let found = written_or_best(campaign.journals, items[index].cluster)?;
        let reduction = found.as_ref().and_then(|(_, bundle)| bundle.reduction.as_ref());
        items[index].reduced = reduction.map(|reduction| (reduction.lines_before, reduction.lines_after));
        let html = cluster::page(campaign, &items, index, found.as_ref()).html();
        // Pages are for sharing, so they get the permissions that the umask allows.
        fs_err::write(folder.join(&items[index].page), html)?;
    }
    remove_old_pages(&folder, &items)?;
    let path = out.join("index.html");
    fs_err::write(&path, index::page(campaign, &items).html())?;
    Ok(path)
}

/// Remove the pages of clusters that no longer exist, and no other file.
fn remove_old_pages(folder: &Utf8Path, items: &[Item<'_>]) -> Result<()> {
    let pages: BTreeSet<&str> = items.iter().map(|item| item.page.as_str()).collect();
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        let name = entry.file_name();
        if is_page(name) && !pages.contains(name) {
            fs_err::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether [`items`] gives such names: `c` and eight hexadecimal digits, perhaps a verdict.
fn is_page(name: &str) -> bool {
    let id = name.strip_suffix(".html").and_then(|stem| stem.strip_prefix('c'));
    id.and_then(|id| id.get(..8)).is_some_and(|id| id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
