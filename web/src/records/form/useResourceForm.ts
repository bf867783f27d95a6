import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { ProblemError } from '@/api/problem'
import { useMe } from '@/api/session'
import { translate } from '@/i18n'
import { toastError } from '@/ui/feedback/toast'
import {
  draftKey,
  dropDraft,
  isKept,
  keepAllDrafts,
  keepDraft,
  keepsOnDemand,
  newOpening,
  offeredDrafts,
  slotOf,
  type Draft,
  type OfferedDraft,
} from './draft'
import { focusFirstFault, showNotice } from './focus'
import { mergeThreeWay, type Clash } from './merge'
import { isWithin, pointerOfPath, withValue, withValues, type Values } from './paths'
import { FormStore } from './store'
import { useCauseGone } from './useCauseGone'

export interface Versioned {
  id: number
  version: number
}

export interface ResourceFormOptions<R extends Versioned, V extends Values> {
  /** The kind of record: names its drafts. */
  kind: string
  /** The saved record; `null` for a new one. */
  record: R | null
  toValues: (record: R | null) => V
  /** The values of a new record, without those that its address fills in; default: `toValues(null)`. */
  blank?: V
  /** The title of a new record, which names its draft. */
  titleOf?: (values: V) => string
  /** Sends the changed fields, with the version they are based on (`null`: create). */
  save: (patch: Values, version: number | null) => Promise<R>
  /** The record at a past version: the common base of a three-way merge. */
  ancestor?: (version: number) => Promise<R>
  /** Called after each save: writes the cache, opens the new record's page, confirms the save. */
  onSaved?: (record: R, merged: boolean) => void
  /** Called when the draft of another new record takes the place of what is typed. */
  onOther?: () => void
  /** Shows the tab or step of a field at fault before it gets the focus. */
  reveal?: (path: string) => void
}

/** Two users changed the same version: fields that only one changed are merged, the user decides about the others. */
export interface Conflict<R extends Versioned> {
  current: R
  clashes: Clash[]
  merged: Values
  theirPaths: string[]
  myPaths: string[]
  /** My values are those of a draft that is restored: its fields. */
  ofDraft?: readonly string[]
}

export interface ResourceForm<R extends Versioned, V extends Values> {
  store: FormStore<V>
  isNew: boolean
  saving: boolean
  problem: unknown
  /** The message about a refused save, above the fields. */
  noticeRef: RefObject<HTMLDivElement | null>
  conflict: Conflict<R> | null
  draft: Draft | null
  /** The title of the new record that was typed; empty for a saved record. */
  draftTitle: string
  /** `false` when the last save was refused. */
  save: () => Promise<boolean>
  /** Resolves a conflict: for each field, whose value is kept. */
  resolve: (mine: ReadonlySet<string>) => Promise<boolean>
  closeConflict: () => void
  restoreDraft: () => void
  dropDraft: () => void
  /** Discards the unsaved changes. */
  revert: () => void
  clearProblem: () => void
}

/** The state of a form: its values, its draft on this device, its save, its faults, its conflicts. */
export function useResourceForm<R extends Versioned, V extends Values>(options: ResourceFormOptions<R, V>): ResourceForm<R, V> {
  const { kind, record } = options
  const me = useMe()
  const queryClient = useQueryClient()
  const key = draftKey(me.id, kind, record?.id ?? 'new')
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const [store] = useState(() => new FormStore<V>(options.toValues(record)))
  const version = useRef(record?.version ?? null)
  const [saving, setSaving] = useState(false)
  /** The save that runs: a second press of Ctrl S is the same save. */
  const running = useRef<Promise<boolean> | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const noticeRef = useRef<HTMLDivElement>(null)
  useCauseGone(problem, () => setProblem(null))
  const [conflict, setConflict] = useState<Conflict<R> | null>(null)
  /** The drafts of earlier visits, offered one after the other. Each stays stored until the user takes or refuses it. */
  const [offers, setOffers] = useState(() => offeredDrafts(key))
  const offer = offers[0]
  const draft = offer?.draft ?? null
  const draftTitle = draft === null || record !== null ? '' : titleOfDraft(draft, options)
  const [opening] = useState(newOpening)
  const slot = slotOf(key, opening)

  // A newer record from the server (another screen saved, publication changed) is merged with the unsaved changes.
  useEffect(() => {
    if (record === null || saving || record.version <= (version.current ?? 0)) return
    const theirs = latest.current.toValues(record)
    const merge = mergeThreeWay(store.saved, theirs, store.values)
    if (merge.clashes.length > 0) return
    store.rebase(theirs, merge.merged)
    version.current = record.version
  }, [record, saving, store])

  /** What a draft stores. That of a new record holds the values its address filled in too: another address fills in others. */
  const draftChanges = useCallback(() => {
    const typed = store.changes()
    return version.current !== null || Object.keys(typed).length === 0 ? typed : store.changes(blankOf(latest.current))
  }, [store])

  useDraftKeeping(store, slot, version, draftChanges)

  const settle = useCallback(
    (saved: R, sent: V, merged: boolean) => {
      version.current = saved.version
      store.settle(latest.current.toValues(saved), sent)
      // Only what was typed here: another window's draft is not saved yet.
      dropDraft(slot)
      setConflict(null)
      setProblem(null)
      latest.current.onSaved?.(saved, merged)
    },
    [store, slot],
  )

  const showFaults = useCallback(
    (error: unknown, sent: V = store.values) => {
      setProblem(error)
      // The dialog to sign in again takes the focus.
      if (error instanceof ProblemError && error.status === 401) return
      if (error instanceof ProblemError) store.setFaults(error.faults)
      const paths = error instanceof ProblemError ? store.faultPaths() : []
      focusFirstFault(paths, latest.current.reveal, () => showNotice(noticeRef, store.values === sent))
    },
    [store],
  )

  const sendOnce = useCallback(
    async (alreadyMerged: boolean): Promise<boolean> => {
      setSaving(true)
      setProblem(null)
      let sent = store.values
      try {
        // Retries once after a version conflict, merged onto the newer version.
        for (const merged of alreadyMerged ? [true] : [false, true]) {
          sent = store.values
          try {
            settle(await latest.current.save(store.patch(), version.current), sent, merged)
            return true
          } catch (error) {
            const current = staleBy(error)
            if (current === undefined || version.current === null || merged) throw error
            const found = await compare(current as R, version.current, store, latest.current)
            if (found.clashes.length > 0) {
              setConflict(found)
              return false
            }
            // No conflict: both changes are saved together, over the current version.
            store.rebase(latest.current.toValues(found.current), found.merged as V)
            version.current = found.current.version
          }
        }
        return false
      } catch (error) {
        showFaults(error, sent)
        return false
      } finally {
        setSaving(false)
      }
    },
    [store, settle, showFaults],
  )
  const send = useCallback(
    (alreadyMerged: boolean): Promise<boolean> => {
      running.current ??= sendOnce(alreadyMerged).finally(() => {
        running.current = null
      })
      return running.current
    },
    [sendOnce],
  )

  /** Refuses to save while a typed text cannot be read: the value before it would be saved in its place. */
  const refuseUnread = useCallback((): boolean => {
    const unread = store.unreadPaths()
    if (unread.length > 0)
      showFaults(
        new ProblemError(422, {
          code: 'validation/failed',
          errors: unread.map((path) => ({ code: 'validation/wrong-type', field: pointerOfPath(path) })),
        }),
      )
    return unread.length > 0
  }, [store, showFaults])

  /** Ends the offer of the first draft; `last` are offered after the others. */
  const answerDraft = useCallback(
    (last: readonly OfferedDraft[] = []) => {
      // What was taken back is kept as typed here, before it goes from where it was.
      keepAllDrafts()
      offer?.slots.forEach((kept) => dropDraft(kept))
      setOffers((before) => [...before.slice(1), ...last])
    },
    [offer],
  )

  /** Takes the draft of a new record. What is typed here is another record: it becomes a draft, which is offered in turn. */
  const restoreNew = useCallback(
    (typed: Draft): void => {
      const mine: Draft = { version: null, savedAt: new Date().toISOString(), changes: draftChanges() }
      const aside = slotOf(key, newOpening())
      const isTyped = Object.keys(mine.changes).length > 0
      // No room to store it: nothing is replaced, and the draft stays offered.
      if (isTyped && !keepDraft(aside, mine)) {
        toastError(translate('form.draftNoRoom'))
        return
      }
      // A file chosen before anything was typed stays for the record that is taken; else it is of the one put aside, and no draft stores it.
      const files = isTyped ? {} : store.files()
      store.reset(store.saved)
      latest.current.onOther?.()
      store.restore({ ...typed.changes, ...files }, blankOf(latest.current))
      answerDraft(isTyped ? [{ draft: mine, slots: [aside] }] : [])
    },
    [store, key, answerDraft, draftChanges],
  )

  /** Takes a draft back. What others saved since it was typed is merged with it, or asked about. */
  const restore = useCallback(
    async (typed: Draft): Promise<void> => {
      const current = latest.current.record
      if (current === null) return restoreNew(typed)
      const isOlder = typed.version !== null && typed.version < (version.current ?? 0)
      const found = isOlder ? await latest.current.ancestor?.(typed.version ?? 0).catch(() => undefined) : undefined
      if (found === undefined) {
        store.restore(typed.changes)
        return answerDraft()
      }
      const before = latest.current.toValues(found)
      const ofDraft = Object.keys(typed.changes)
      // The draft takes the place of a text that cannot be read: the value there is the one before that text.
      const replaced = store.unreadPaths().filter((at) => ofDraft.some((path) => isWithin(at, path)))
      const here = Object.entries(store.changes()).filter(([path]) => !replaced.includes(path))
      const mine = withValues(before, [...Object.entries(typed.changes), ...here])
      const { merged, clashes, theirPaths, myPaths } = mergeThreeWay(before, store.saved, mine)
      if (clashes.length > 0) return setConflict({ current, clashes, merged, theirPaths, myPaths, ofDraft })
      store.rebase(store.saved, merged)
      store.forgetUnread(ofDraft)
      answerDraft()
    },
    [store, answerDraft, restoreNew],
  )

  return useMemo(
    () => ({
      store,
      isNew: record === null,
      saving,
      problem,
      noticeRef,
      conflict,
      draft,
      draftTitle,
      save: () =>
        store.dirtyPaths().length === 0 && record !== null ? Promise.resolve(true) : refuseUnread() ? Promise.resolve(false) : send(false),
      resolve: (mine) => {
        if (conflict === null) return Promise.resolve(false)
        const chosen = conflict.clashes.reduce(
          (values, clash) => withValue(values, clash.path, mine.has(clash.path) ? clash.mine : clash.theirs),
          conflict.merged,
        )
        store.rebase(latest.current.toValues(conflict.current), chosen as V)
        version.current = conflict.current.version
        setConflict(null)
        if (conflict.ofDraft !== undefined) {
          store.forgetUnread(conflict.ofDraft)
          answerDraft()
        }
        if (refuseUnread()) return Promise.resolve(false)
        if (store.dirtyPaths().length > 0) return send(true)
        // All their values were kept: there is nothing to send.
        settle(conflict.current, store.values, true)
        void queryClient.invalidateQueries()
        return Promise.resolve(true)
      },
      closeConflict: () => setConflict(null),
      restoreDraft: () => {
        if (draft !== null) void restore(draft)
      },
      dropDraft: () => answerDraft(),
      revert: () => {
        store.reset(store.saved)
        dropDraft(slot)
        setProblem(null)
      },
      clearProblem: () => setProblem(null),
    }),
    [store, record, saving, problem, conflict, draft, draftTitle, send, refuseUnread, settle, restore, answerDraft, slot, queryClient],
  )
}

/** The values on which the draft of a new record is based. */
const blankOf = <R extends Versioned, V extends Values>({ blank, toValues }: ResourceFormOptions<R, V>): V => blank ?? toValues(null)

/** The title of the new record that a draft has. */
const titleOfDraft = <R extends Versioned, V extends Values>({ changes }: Draft, options: ResourceFormOptions<R, V>): string =>
  options.titleOf?.(withValues(blankOf(options), Object.entries(changes))) ?? ''

/** The current record, when a save was refused because another one came first. */
const staleBy = (error: unknown): unknown =>
  error instanceof ProblemError && error.status === 412 ? (error.current ?? undefined) : undefined

/** Ask for what both started from, and merge leaf by leaf. */
async function compare<R extends Versioned, V extends Values>(
  current: R,
  base: number,
  store: FormStore<V>,
  options: ResourceFormOptions<R, V>,
): Promise<Conflict<R>> {
  // The ancestor is what was loaded here; the server's own copy is asked for in case a draft is older than that.
  const before = options.ancestor === undefined ? store.saved : await options.ancestor(base).then(options.toValues, () => store.saved)
  const { merged, clashes, theirPaths, myPaths } = mergeThreeWay(before, options.toValues(current), store.values)
  return { current, clashes, merged, theirPaths, myPaths }
}

const pauseMs = 1000

/** Keeps the draft at each pause of 1 s, and when the page goes. */
function useDraftKeeping<V extends Values>(
  store: FormStore<V>,
  slot: string,
  version: { current: number | null },
  draftChanges: () => Record<string, unknown>,
): void {
  useEffect(() => {
    let pause: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      clearTimeout(pause)
      pause = undefined
      const changes = draftChanges()
      if (Object.keys(changes).length === 0) dropDraft(slot)
      else keepDraft(slot, { version: version.current, savedAt: new Date().toISOString(), changes })
    }
    const later = () => {
      clearTimeout(pause)
      pause = setTimeout(keep, pauseMs)
    }
    const now = () => pause !== undefined && keep()
    // Another window may have dropped it meanwhile.
    const leave = () => (pause !== undefined || !isKept(slot)) && keep()
    const stop = store.subscribe(later)
    const forget = keepsOnDemand(now)
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', now)
    return () => {
      leave()
      stop()
      forget()
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', now)
    }
  }, [store, slot, version, draftChanges])
}
