//! A campaign as pages that need no server: `index.html`, and one page a cluster.
//!
//! Every page stands alone. What comes from programs, paths and compilers goes through
//! [`page::escaped`] alone; only the index has a script, and without it everything is there to read.

mod cluster;
mod index;
mod page;
mod sheet;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::example::{example, written};
use crate::journal::{FindingBundle, JobRecord, Journal, RunFolder};
use crate::model::{Cluster, Finding, Verdict};
use crate::triage::{Known, cluster_id};

/// What the pages are made of.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// The folders of the runs, in the order in which they were made.
    pub folders: &'a [Utf8PathBuf],
    /// Their journals.
    pub journals: &'a [Journal],
    /// The clusters over all of them, ranked.
    pub clusters: &'a [Cluster],
    /// What is known already.
    pub known: &'a Known,
}

/// One finding, and whose it is.
#[derive(Clone, Copy, Debug)]
struct Member<'a> {
    /// The run, as an index.
    run: usize,
    record: &'a JobRecord,
    finding: &'a Finding,
}

/// A cluster with all that its page and its row tell.
#[derive(Debug)]
struct Item<'a> {
    cluster: &'a Cluster,
    /// The name of its page, without the folder.
    page: String,
    members: Vec<Member<'a>>,
    /// Lines of its program before and after reduction.
    reduced: Option<(usize, usize)>,
}

/// Write the pages into `out`, and give the path of the index.
pub fn write_pages(campaign: &Campaign<'_>, out: &Utf8Path) -> Result<Utf8PathBuf> {
    let mut items = items(campaign);
    let folder = out.join("clusters");
    fs_err::create_dir_all(&folder)?;
    for index in 0..items.len() {
        let (bundle, place) = bundle(campaign, &items[index])?;
        let reduction = bundle.as_ref().and_then(|bundle| bundle.reduction.as_ref());
        items[index].reduced = reduction.map(|reduction| (reduction.lines_before, reduction.lines_after));
        let found = bundle.as_ref().map(|bundle| cluster::Found { bundle, place: place.as_deref() });
        let html = cluster::page(campaign, &items, index, found).html();
        // A plain file, which others may read as far as the umask lets them: pages are for handing on.
        fs_err::write(folder.join(&items[index].page), html)?;
    }
    remove_others(&folder, &items)?;
    let path = out.join("index.html");
    fs_err::write(&path, index::page(campaign, &items).html())?;
    Ok(path)
}

/// The clusters in their order, each with its findings.
fn items<'a>(campaign: &Campaign<'a>) -> Vec<Item<'a>> {
    let mut members: BTreeMap<(&str, Verdict), Vec<Member<'a>>> = BTreeMap::new();
    for (run, journal) in campaign.journals.iter().enumerate() {
        for record in journal.sorted() {
            for finding in &record.findings {
                let key = (finding.signature.as_str(), finding.verdict);
                members.entry(key).or_default().push(Member { run, record, finding });
            }
        }
    }
    let mut taken = BTreeSet::new();
    let item = |cluster: &'a Cluster| {
        let id = cluster_id(&cluster.signature);
        // Clusters of one signature and several verdicts have one id.
        let page = if taken.insert(id.clone()) {
            format!("{id}.html")
        } else {
            format!("{id}-{}.html", cluster.verdict.name())
        };
        let members = members.remove(&(cluster.signature.as_str(), cluster.verdict)).unwrap_or_default();
        Item { cluster, page, members, reduced: None }
    };
    campaign.clusters.iter().map(item).collect()
}

/// The cluster's example: what its folder holds, which may be reduced, or what the journals know.
fn bundle(campaign: &Campaign<'_>, item: &Item<'_>) -> Result<(Option<FindingBundle>, Option<String>)> {
    if let Some((folder, bundle)) = written(campaign.folders, item.cluster)? {
        return Ok((Some(bundle), Some(folder.0.into_string())));
    }
    let found = item.members.iter().map(|member| {
        let Member { run, record, finding } = *member;
        (RunFolder(campaign.folders[run].clone()).blob(&record.source), record, finding)
    });
    Ok((example(found)?.map(|example| example.bundle()), None))
}

/// Remove the pages of clusters that are no more. Nothing goes but what has the name of a page.
fn remove_others(folder: &Utf8Path, items: &[Item<'_>]) -> Result<()> {
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

/// Whether `name` is one that [`items`] gives: `c` and eight hexadecimal digits, perhaps a verdict.
fn is_page(name: &str) -> bool {
    let id = name.strip_suffix(".html").and_then(|stem| stem.strip_prefix('c'));
    id.and_then(|id| id.get(..8)).is_some_and(|id| id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
