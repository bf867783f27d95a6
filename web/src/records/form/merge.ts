import { changedPaths, isWithin, same, valueAt, withValue, type Values } from './paths'

/** One field that both sides changed to different values. */
export interface Clash {
  path: string
  before: unknown
  theirs: unknown
  mine: unknown
}

export interface Merge<V extends Values> {
  /** Both changes together; a field in conflict has their value until the user chooses. */
  merged: V
  clashes: Clash[]
  /** What only they changed. */
  theirPaths: string[]
  /** What only I changed. */
  myPaths: string[]
}

/** Whether two paths are the same, or one contains the other. */
const overlaps = (a: string, b: string) => isWithin(a, b) || isWithin(b, a)

/** Three-way merge, leaf by leaf: a change of one side alone is kept; the same change on both sides is no clash. */
export function mergeThreeWay<V extends Values>(before: V, theirs: V, mine: V): Merge<V> {
  const their = changedPaths(before, theirs)
  const my = changedPaths(before, mine)
  const clashing = my.flatMap((path) => {
    const other = their.find((one) => overlaps(one, path))
    if (other === undefined) return []
    // The shorter of the two paths contains both changes.
    const at = other.length < path.length ? other : path
    return same(valueAt(theirs, at), valueAt(mine, at)) ? [] : [at]
  })
  const clashes = [...new Set(clashing)].map((path) => ({
    path,
    before: valueAt(before, path),
    theirs: valueAt(theirs, path),
    mine: valueAt(mine, path),
  }))
  const clear = (paths: string[]) => paths.filter((path) => !clashes.some((clash) => overlaps(clash.path, path)))
  const myPaths = clear(my)
  return {
    merged: myPaths.reduce<V>((merged, path) => withValue(merged, path, valueAt(mine, path)), theirs),
    clashes,
    theirPaths: clear(their).filter((path) => !myPaths.some((own) => overlaps(own, path))),
    myPaths,
  }
}
