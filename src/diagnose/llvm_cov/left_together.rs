//! Macros that control leaves together with the one around them (`handleFileExit` in CoverageMappingGen.cpp).
//!
//! In `if (c) EACH(i) s++;`, where the text of `EACH` is `for (i = FIRST; i < 4; i++)`, the region of the `if`'s arm begins in `EACH`.
//! The first part of the loop is the last code before `s++` that clang visits, so `FIRST` and `EACH` end there together. Both get
//! the regions that begin in them, or that of the code around both; `EACH` has one, `FIRST` has none.

use super::facts::Facts;
use crate::coverage::{MappingRegion, RegionKind};
use crate::model::{Cause, Layer};
use crate::replay::llvm_cov::CountedRegion;

const ID: &str = "macros-left-together";

impl Facts<'_> {
    /// The fault that the expansion `region` in the text of a macro has the count of the code around that, although a region that
    /// began in the text is around it and continues after the macro.
    pub(super) fn left_together(&self, region: &CountedRegion) -> Option<Cause> {
        let (function, mapped) = (self.function(region), self.mapped(region));
        if region.kind != RegionKind::Expansion {
            return None;
        }
        let outer = function.expansion_of(mapped.file)?;
        let code = |file: u32| {
            function.regions.iter().filter(move |code| code.kind == RegionKind::Code && code.file == file)
        };
        let is_around = |code: &&MappingRegion, at: (u32, u32)| code.start <= at && at < code.end;
        let text = code(mapped.file)
            .filter(|text| is_around(text, mapped.start))
            .max_by_key(|text| text.start)
            .filter(|text| text.counter != mapped.counter)?;
        let continues =
            code(outer.file).any(|after| after.start == outer.end && after.counter == text.counter);
        let is_of_outer = code(outer.file).any(|code| {
            code.start < outer.start && is_around(&code, outer.start) && code.counter == mapped.counter
        });
        let ((line, column), (at, from)) = (region.start, text.start);
        let evidence = format!(
            "The expansion region at {line}:{column} has the count {} = {} of the code around the macro whose text it is in; the region from {at}:{from} in that text has {}.",
            function.formula(mapped.counter),
            region.count,
            function.formula(text.counter)
        );
        let element = self.element_at("expansion", region.start);
        (continues && is_of_outer).then(|| Cause::new(Layer::Mapping, ID, element, evidence))
    }

    /// The same fault of an expansion that `region` is, or that is around it and has its count.
    pub(super) fn left_together_around(&self, region: &CountedRegion) -> Option<Cause> {
        let own = self.wrong_start(region).filter(|found| found.mechanism == ID);
        own.or_else(|| self.wrong_expansion_around(region).filter(|found| found.mechanism == ID))
    }
}
