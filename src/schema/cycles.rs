//! Finds the cycles of a graph.

use std::mem::replace;

/// For each node, whether it is on a cycle. `edges` lists the successors of each node. (Kosaraju's algorithm.)
pub fn on_cycles(edges: &[Vec<usize>]) -> Vec<bool> {
    let mut backwards = vec![Vec::new(); edges.len()];
    for (from, leads_to) in edges.iter().enumerate() {
        for to in leads_to {
            if let Some(sources) = backwards.get_mut(*to) {
                sources.push(from);
            }
        }
    }
    let mut seen = vec![false; edges.len()];
    let mut done = Vec::with_capacity(edges.len());
    for start in 0..edges.len() {
        reach(start, edges, &mut seen, &mut done);
    }
    let mut seen = vec![false; edges.len()];
    let mut are_on_cycles = vec![false; edges.len()];
    for start in done.into_iter().rev() {
        let mut alike = Vec::new();
        reach(start, &backwards, &mut seen, &mut alike);
        let is_loop = edges.get(start).is_some_and(|leads_to| leads_to.contains(&start));
        if alike.len() < 2 && !is_loop {
            continue;
        }
        for number in alike {
            if let Some(is_on_cycle) = are_on_cycles.get_mut(number) {
                *is_on_cycle = true;
            }
        }
    }
    are_on_cycles
}

/// Appends all unseen nodes that can be reached from `start`, including itself, in post-order.
fn reach(start: usize, edges: &[Vec<usize>], seen: &mut [bool], done: &mut Vec<usize>) {
    let mut path = Vec::new();
    if seen.get_mut(start).is_some_and(|seen| !replace(seen, true)) {
        path.push((start, 0));
    }
    while let Some((number, next)) = path.last_mut() {
        let Some(to) = edges.get(*number).and_then(|leads_to| leads_to.get(*next)) else {
            done.push(*number);
            path.pop();
            continue;
        };
        *next += 1;
        if seen.get_mut(*to).is_some_and(|seen| !replace(seen, true)) {
            path.push((*to, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::on_cycles;

    #[test]
    fn nodes_before_and_after_a_cycle_are_not_on_it() {
        // 0 → 1 ⇄ 2 → 3 → 4 → 4, 5 alone
        let edges = [vec![1], vec![2], vec![1, 3], vec![4], vec![4], vec![]];
        assert_eq!(on_cycles(&edges), [false, true, true, false, true, false]);
        // both ways meet again, but there is no cycle
        assert_eq!(on_cycles(&[vec![1, 2], vec![3], vec![3], vec![]]), [false; 4]);
        // two cycles share a node
        assert_eq!(on_cycles(&[vec![1, 2], vec![0], vec![0]]), [true; 3]);
        assert!(on_cycles(&[]).is_empty());
    }
}
