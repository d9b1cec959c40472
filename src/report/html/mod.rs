//! A campaign as HTML pages that need no server: `index.html`, and one page for each cluster.
//!
//! Every page is complete without the others. Only the index has a script, and all content can be read without the
//! script.

mod audit;
mod cluster;
mod details;
mod files;
mod index;
mod items;
mod page;
mod sheet;

pub use audit::write_audit_pages;
pub use files::write_pages;
pub use items::Campaign;
