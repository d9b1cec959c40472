//! gcov.

use super::diagnosis::{Case, Diagnosis, Symptom};
use crate::model::Layer;

/// The diagnosis of each of `symptoms`.
pub(super) fn diagnose(_case: &Case<'_>, symptoms: &[Symptom]) -> Vec<Diagnosis> {
    symptoms
        .iter()
        .map(|symptom| {
            Diagnosis::new(Layer::Mapping, "mapping/unknown", format!("line {}", symptom.line), String::new())
        })
        .collect()
}
