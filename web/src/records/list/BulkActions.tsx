import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentType } from 'react'
import type { BulkReport } from '@/api/types'
import { resourceApi, type RecordsPath } from '@/api/resource'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Dialog } from '@/ui/dialog/Dialog'
import { toast, toastError } from '@/ui/feedback/toast'
import { MenuButton, type MenuEntry } from '@/ui/menu/MenuButton'
import { usePhone } from '@/ui/usePhone'
import { problemText } from '@/records/problem-text'
import { TranslateMany } from '@/records/translation/lazy'
import type { BulkInputProps } from './bulk-inputs'
import { forecast, refusalText, reportResult } from './bulk-report'
import classes from './BulkActions.module.css'
import { useIsEverything } from './selection'
import type { ListControl } from './useListState'

/** The ticked rows, or the filters of a list all of whose rows are ticked. */
type BulkTarget = { ids: number[] } | { filter: Record<string, string> }

/** An action on the ticked rows. */
export interface BulkAction {
  action: string
  label: string
  value?: unknown
  /** The input for the value that the action needs; shown in a dialog before the preview. */
  Input?: ComponentType<BulkInputProps>
  /** Opens a page for the ticked rows instead of sending a request. */
  open?: (target: BulkTarget) => void
  /** Why this person may not use the action. */
  refusal?: string | undefined
}

/** A menu of actions. */
export interface BulkMenu {
  label: string
  choices: readonly BulkAction[]
}

/** Lists whose rows are translated many at once. */
const translated: Record<string, 'parcours' | 'poi' | 'media'> = {
  '/api/v1/parcours': 'parcours',
  '/api/v1/pois': 'poi',
  '/api/v1/medias': 'media',
}

/** How many entries a phone shows in the bar; the others are in one menu. */
const onPhone = 2

/** How many refused items a preview lists. */
const MAX_REFUSED = 12

const isMenu = (entry: BulkAction | BulkMenu): entry is BulkMenu => 'choices' in entry

interface Choice {
  action: BulkAction
  value: unknown
}

interface Planned {
  choice: Choice
  report: BulkReport
}

/** The items that an action would change. */
const changedIn = ({ items }: BulkReport): number[] => items.flatMap(({ id, outcome }) => (outcome === 'applied' ? [id] : []))

/** The actions on the ticked rows: each shows first what it would change (a dry run), and can be undone afterwards. */
export default function BulkActions({
  base,
  queryKey,
  actions,
  list,
}: {
  base: RecordsPath
  queryKey: readonly string[]
  actions: readonly (BulkAction | BulkMenu)[]
  list: ListControl
}) {
  const { t } = useTranslation()
  const api = resourceApi(base)
  const cache = useQueryClient()
  const [needsValue, setNeedsValue] = useState<BulkAction | null>(null)
  const [planned, setPlanned] = useState<Planned | null>(null)
  const renew = () => cache.invalidateQueries({ queryKey: [...queryKey] })
  const failed = (error: unknown) => toastError(`${t('bulk.failed')} ${problemText(error)}`)
  const { page: _page, per_page: _size, sort: _sort, ...filters } = list.query
  const filter = Object.fromEntries(Object.entries(filters).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])))
  const { selection } = list
  // Read when an action is pressed: a tick renders no action again.
  const target = (): BulkTarget => (selection.get().everything ? { filter } : { ids: [...selection.get().ids] })
  const everything = useIsEverything(selection)
  const textKind = translated[base]
  const send = ({ action, value }: Choice, to: BulkTarget, dry_run: boolean) =>
    api.bulk({ ...to, action: action.action, ...(value === undefined ? {} : { value }), dry_run })
  const preview = useMutation({
    mutationFn: (choice: Choice) => send(choice, target(), true),
    onSuccess: (report, choice) => {
      setNeedsValue(null)
      setPlanned({ choice, report })
    },
    onError: failed,
  })
  const undo = useMutation({
    mutationFn: (token: string) => api.undoBulk(token),
    onSuccess: ({ applied, refused }) => {
      const kept = refused > 0 ? t('bulk.undoneBut', { count: refused }) : ''
      if (applied === 0 && refused > 0) toastError(kept)
      else toast({ text: `${t('bulk.undone')} ${kept}`.trim() })
      return renew()
    },
    onError: failed,
  })
  const apply = useMutation({
    // The items of the preview, not the filters again: by now they may leave others, which the user has not seen.
    mutationFn: ({ choice, report }: Planned) => send(choice, { ids: changedIn(report) }, false),
    onSuccess: (done, { choice, report }) => {
      setPlanned(null)
      selection.clear()
      const { undo_token: token } = done
      const undoIt = token === undefined ? undefined : { label: t('bulk.undo'), run: () => undo.mutate(token) }
      reportResult(choice.action.action, changedIn(report).length, done, undoIt)
      return renew()
    },
    onError: failed,
  })
  const press = (action: BulkAction) => {
    if (action.refusal !== undefined) toastError(action.refusal)
    else if (action.open !== undefined) action.open(target())
    else if (action.Input === undefined) preview.mutate({ action, value: action.value })
    else setNeedsValue(action)
  }
  const isNarrow = usePhone() && actions.length > onPhone + 1
  const more = isNarrow ? actions.slice(onPhone) : []
  const choice = (action: BulkAction): MenuEntry =>
    action.refusal === undefined
      ? { label: action.label, onSelect: () => press(action) }
      : { label: action.label, disabled: true, title: action.refusal }
  return (
    <>
      {(isNarrow ? actions.slice(0, onPhone) : actions).map((entry) =>
        isMenu(entry) ? (
          <ActionMenu key={entry.label} label={entry.label} entries={() => entry.choices.map(choice)} />
        ) : (
          <button key={entry.label} type="button" aria-disabled={entry.refusal !== undefined || undefined} onClick={() => press(entry)}>
            {entry.label}
          </button>
        ),
      )}
      {more.length > 0 && (
        <ActionMenu
          label={t('bulk.more')}
          entries={() => [
            // Actions without a heading come first: after one they would seem to belong to it.
            ...more.flatMap((entry) => (isMenu(entry) ? [] : [choice(entry)])),
            ...more.flatMap((entry) => (isMenu(entry) ? [{ heading: entry.label }, ...entry.choices.map(choice)] : [])),
          ]}
        />
      )}
      {textKind !== undefined && !(textKind === 'media' && everything) && <TranslateMany kind={textKind} target={target} />}
      {needsValue?.Input !== undefined && (
        <ValueDialog
          action={needsValue}
          Input={needsValue.Input}
          busy={preview.isPending}
          onClose={() => setNeedsValue(null)}
          onValue={(value) => preview.mutate({ action: needsValue, value })}
        />
      )}
      {planned !== null && (
        <ConfirmDialog
          opened
          onClose={() => setPlanned(null)}
          title={titleOf(planned.choice.action)}
          confirm={t('bulk.confirm', { count: planned.report.applied })}
          danger={planned.choice.action.action === 'delete'}
          {...(planned.report.applied === 0 ? { blocked: t('bulk.nothing') } : {})}
          onConfirm={() => apply.mutateAsync(planned).catch(() => undefined)}
        >
          <p>{forecast(planned.choice.action.action, planned.report)}</p>
          <Refused items={planned.report.items} />
        </ConfirmDialog>
      )}
    </>
  )
}

/** A button of the bar with a menu of actions. */
function ActionMenu({ label, entries }: { label: string; entries: () => readonly MenuEntry[] }) {
  return (
    <MenuButton
      position="top"
      zIndex={160}
      className={classes['choices']}
      button={
        <button type="button" className={classes['menu']}>
          {label}
          <IconChevronDown size={15} stroke={2} aria-hidden />
        </button>
      }
      entries={entries}
    />
  )
}

/** The title of an action's dialog: its label without the final « … ». */
const titleOf = ({ label }: BulkAction): string => label.replace(/…$/, '')

/** Asks for the value of an action, then continues to its preview. */
function ValueDialog({
  action,
  Input,
  busy,
  onClose,
  onValue,
}: {
  action: BulkAction
  Input: NonNullable<BulkAction['Input']>
  busy: boolean
  onClose: () => void
  onValue: (value: unknown) => void
}) {
  const { t } = useTranslation()
  const [value, setValue] = useState<unknown>(undefined)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={titleOf(action)}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            busy={busy}
            disabledReason={value === undefined ? t('bulk.valueFirst') : undefined}
            onClick={() => onValue(value)}
          >
            {t('bulk.preview')}
          </Button>
        </>
      }
    >
      <Input value={value} onChange={setValue} />
    </Dialog>
  )
}

/** The items that an action refuses, each with the reason. */
function Refused({ items }: { items: BulkReport['items'] }) {
  const { t } = useTranslation()
  const refused = items.filter(({ outcome }) => outcome === 'refused')
  const more = refused.length - MAX_REFUSED
  if (refused.length === 0) return null
  return (
    <ul className={classes['refused']}>
      {refused.slice(0, MAX_REFUSED).map((item) => (
        <li key={item.id}>{refusalText(item)}</li>
      ))}
      {more > 0 && <li>{t('bulk.moreRefused', { count: more })}</li>}
    </ul>
  )
}
