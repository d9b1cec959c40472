//! Reader of `llvm-cov export -format=lcov` (CoverageExporterLcov.cpp; geninfo(1)
//! for the records). Its DA records are llvm-cov's word on line counts: `show`
//! rounds, and the JSON export has segments only.

use super::{BranchCount, Coverage, FunctionCount, Unreadable};

/// The report on the file whose path is `path` in the lcov `text`. A section that was cut off
/// before its end is none.
pub fn read(text: &str, path: &str) -> Result<Coverage, Unreadable> {
    let whole = text.rfind("end_of_record").map_or("", |end| &text[..end]);
    let section = whole.split("end_of_record").find(|section| {
        section.lines().any(|line| line.strip_prefix("SF:").is_some_and(|file| file == path))
    });
    let section = section.ok_or_else(|| Unreadable::FileMissing(path.to_string()))?;
    let mut coverage = Coverage::default();
    for line in section.lines() {
        let Some((tag, rest)) = line.split_once(':') else { continue };
        let fields: Vec<&str> = rest.split(',').collect();
        match (tag, fields.as_slice()) {
            ("DA", [line, count, ..]) => coverage.add_line(number(line)?, number(count)?),
            ("FN", [line, name]) => {
                let name = (*name).to_string();
                coverage.functions.push(FunctionCount { name, line: number(line)?, count: 0 });
            }
            ("FNDA", [count, name]) => {
                let count = number(count)?;
                let named = coverage.functions.iter_mut().find(|function| function.name == *name);
                if let Some(function) = named {
                    function.count = count;
                }
            }
            ("BRDA", [line, _, _, taken]) => coverage.branches.push(BranchCount {
                line: number(line)?,
                column: None,
                taken: if *taken == "-" { None } else { Some(number(taken)?) },
            }),
            _ => {}
        }
    }
    Ok(coverage)
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, Unreadable> {
    text.parse().map_err(|_| Unreadable::Format(format!("{text:?} is not a number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_of_our_file_is_read() {
        let text = "SF:/x/q.h\nDA:1,9\nend_of_record\nSF:/x/p.c\nFN:3,f\nFNDA:2,f\nDA:3,2\nDA:4,0\nBRDA:3,0,0,-\n\
                    BRDA:3,0,1,5\nend_of_record\n";
        let coverage = read(text, "/x/p.c").unwrap();
        assert_eq!(coverage.counted().collect::<Vec<_>>(), [(3, 2), (4, 0)]);
        assert_eq!(coverage.functions[0].count, 2);
        assert_eq!(coverage.branches.iter().map(|branch| branch.taken).collect::<Vec<_>>(), [None, Some(5)]);
        assert!(read(text, "p.c").is_err());
    }
}
