//! A campaign as HTML pages that need no server: `index.html`, and one page for each cluster.
//!
//! Every page is complete without the others. Only the index has a script, and everything can be read without it.

mod cluster;
mod index;
mod page;
mod sheet;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use maud::{Markup, html};

use super::example::{example, written};
use crate::journal::{FindingBundle, JobRecord, Journal, RunFolder};
use crate::model::{Cluster, Finding, Verdict};
use crate::triage::{Known, cluster_id};

/// The content of the pages.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// The folders of the runs, in the order in which they were made, and their journals.
    pub folders: &'a [Utf8PathBuf],
    pub journals: &'a [Journal],
    /// The clusters of all runs, by rank.
    pub clusters: &'a [Cluster],
    pub known: &'a Known,
}

impl<'a> Campaign<'a> {
    fn records(&self) -> impl Iterator<Item = &'a JobRecord> {
        self.journals.iter().flat_map(|journal| &journal.records)
    }
}

/// A finding with its job; `run` is an index into the campaign's runs.
#[derive(Clone, Copy, Debug)]
struct Member<'a> {
    run: usize,
    record: &'a JobRecord,
    finding: &'a Finding,
}

/// A cluster with everything that its page and its row show.
#[derive(Debug)]
struct Item<'a> {
    cluster: &'a Cluster,
    /// The file name of its page.
    page: String,
    members: Vec<Member<'a>>,
    /// Lines of its program before and after reduction.
    reduced: Option<(usize, usize)>,
}

impl<'a> Item<'a> {
    fn findings(&self) -> Vec<&'a Finding> {
        self.members.iter().map(|member| member.finding).collect()
    }
}

/// Write the pages into `out`, and return the path of the index.
pub fn write_pages(campaign: &Campaign<'_>, out: &Utf8Path) -> Result<Utf8PathBuf> {
    let mut items = items(campaign);
    let folder = out.join("clusters");
    fs_err::create_dir_all(&folder)?;
    for index in 0..items.len() {
        let (bundle, example) = bundle(campaign, &items[index])?;
        let reduction = bundle.as_ref().and_then(|bundle| bundle.reduction.as_ref());
        items[index].reduced = reduction.map(|reduction| (reduction.lines_before, reduction.lines_after));
        let found = bundle.as_ref().map(|bundle| cluster::Found { bundle, folder: example.as_deref() });
        let html = cluster::page(campaign, &items, index, found).html();
        // Pages are for sharing, so they get the permissions that the umask allows.
        fs_err::write(folder.join(&items[index].page), html)?;
    }
    remove_old_pages(&folder, &items)?;
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

/// The example of the cluster, and its folder if it was written; it may be reduced there.
fn bundle(campaign: &Campaign<'_>, item: &Item<'_>) -> Result<(Option<FindingBundle>, Option<String>)> {
    if let Some((folder, bundle)) = written(campaign.folders, item.cluster)? {
        return Ok((Some(bundle), Some(folder.0.into_string())));
    }
    let found = item.members.iter().map(|Member { run, record, finding }| {
        (RunFolder(campaign.folders[*run].clone()).blob(&record.source), *record, *finding)
    });
    Ok((example(found)?.map(|example| example.bundle()), None))
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

/// A verdict as it is shown in tables.
fn badge(verdict: Verdict) -> Markup {
    let name = verdict.name();
    html! { span.v.(name) { (name) } }
}
