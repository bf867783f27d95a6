import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentType } from 'react'
import type { BulkReport } from '@/api/types'
import { resourceApi, type RecordsPath } from '@/api/resource'
import { textFor, translate, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Dialog } from '@/ui/dialog/Dialog'
import { toast, toastError } from '@/ui/feedback/toast'
import { MenuButton } from '@/ui/menu/MenuButton'
import { format, textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { TranslateMany } from '@/records/translation/lazy'
import classes from './BulkActions.module.css'
import { useIsEverything } from './selection'
import type { ListControl } from './useListState'

/** The ticked rows, or the filters of a list all of whose rows are ticked. */
type BulkTarget = { ids: number[] } | { filter: Record<string, string> }

/** An action over ticked rows. */
export interface BulkAction {
  action: string
  label: string
  value?: unknown
  /** Asks for a value first, and gives it to the bulk action. */
  Ask?: ComponentType<{ value: unknown; onChange: (value: unknown) => void }>
  /** Opens a page for the ticked rows: the action itself asks nothing of the server. */
  open?: (target: BulkTarget) => void
  /** Why this person may not. */
  refusal?: string | undefined
}

/** Several under one word. */
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

interface Choice {
  action: BulkAction
  value: unknown
}

/** The actions over the ticked rows: each says what it would do, then can be undone. */
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
  const [asking, setAsking] = useState<BulkAction | null>(null)
  const [planned, setPlanned] = useState<{ choice: Choice; report: BulkReport } | null>(null)
  const renew = () => cache.invalidateQueries({ queryKey: [...queryKey] })
  const failed = (error: unknown) => toastError(`${t('bulk.failed')} ${problemText(error)}`)
  const { page: _page, per_page: _size, sort: _sort, ...asked } = list.query
  const filter = Object.fromEntries(Object.entries(asked).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])))
  const { selection } = list
  // Read when an action is pressed: a tick renders no action again.
  const target = (): BulkTarget => (selection.get().everything ? { filter } : { ids: [...selection.get().ids] })
  const everything = useIsEverything(selection)
  const textKind = translated[base]
  const send = ({ action, value }: Choice, dry_run: boolean) =>
    api.bulk({ ...target(), action: action.action, ...(value === undefined ? {} : { value }), dry_run })
  const ask = useMutation({
    mutationFn: (choice: Choice) => send(choice, true),
    onSuccess: (report, choice) => {
      setAsking(null)
      setPlanned({ choice, report })
    },
    onError: failed,
  })
  const undo = useMutation({
    mutationFn: (token: string) => api.undoBulk(token),
    onSuccess: () => {
      toast({ text: t('bulk.undone') })
      return renew()
    },
    onError: failed,
  })
  const apply = useMutation({
    mutationFn: (choice: Choice) => send(choice, false),
    onSuccess: ({ undo_token: token }) => {
      setPlanned(null)
      selection.clear()
      toast({ text: t('bulk.done'), ...(token === undefined ? {} : { action: { label: t('cancel'), run: () => undo.mutate(token) } }) })
      return renew()
    },
    onError: failed,
  })
  const press = (action: BulkAction) => {
    if (action.refusal !== undefined) toastError(action.refusal)
    else if (action.open !== undefined) action.open(target())
    else if (action.Ask === undefined) ask.mutate({ action, value: action.value })
    else setAsking(action)
  }
  return (
    <>
      {actions.map((entry) =>
        'choices' in entry ? (
          <MenuButton
            key={entry.label}
            position="top"
            zIndex={160}
            button={
              <button type="button" className={classes['menu']}>
                {entry.label}
                <IconChevronDown size={15} stroke={2} aria-hidden />
              </button>
            }
            entries={() => entry.choices.map((action) => ({ label: action.label, onSelect: () => press(action) }))}
          />
        ) : (
          <button key={entry.label} type="button" aria-disabled={entry.refusal !== undefined || undefined} onClick={() => press(entry)}>
            {entry.label}
          </button>
        ),
      )}
      {textKind !== undefined && !(textKind === 'media' && everything) && <TranslateMany kind={textKind} target={target} />}
      {asking?.Ask !== undefined && (
        <Ask
          action={asking}
          Input={asking.Ask}
          busy={ask.isPending}
          onClose={() => setAsking(null)}
          onAnswer={(value) => ask.mutate({ action: asking, value })}
        />
      )}
      {planned !== null && (
        <ConfirmDialog
          opened
          onClose={() => setPlanned(null)}
          title={titleOf(planned.choice.action)}
          confirm={t('bulk.confirm', { count: planned.report.applied })}
          {...(planned.report.applied === 0 ? { blocked: t('bulk.nothing') } : {})}
          onConfirm={() => apply.mutateAsync(planned.choice).catch(() => undefined)}
        >
          <p>{forecast(planned.choice.action.action, planned.report)}</p>
          <Refused items={planned.report.items} />
        </ConfirmDialog>
      )}
    </>
  )
}

/** The name of an action over its own dialog, where nothing more is to come. */
const titleOf = ({ label }: BulkAction): string => label.replace(/…$/, '')

/** « 2 seront publiés et 1 refusé »: what an action would do, before it does it; the counts that are not zero. */
function forecast(action: string, { applied, unchanged, refused }: BulkReport): string {
  const change = action === 'publish' || action === 'unpublish' || action === 'delete' ? action : 'change'
  return format.list([
    ...(applied > 0 || unchanged + refused === 0 ? [translate(`bulk.will.${change}`, { count: applied })] : []),
    ...(unchanged > 0 ? [translate('bulk.unchanged', { count: unchanged })] : []),
    ...(refused > 0 ? [translate('bulk.refused', { count: refused })] : []),
  ])
}

function Ask({
  action,
  Input,
  busy,
  onClose,
  onAnswer,
}: {
  action: BulkAction
  Input: NonNullable<BulkAction['Ask']>
  busy: boolean
  onClose: () => void
  onAnswer: (value: unknown) => void
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
            onClick={() => onAnswer(value)}
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

function Refused({ items }: { items: BulkReport['items'] }) {
  const refused = items.filter(({ outcome }) => outcome === 'refused').slice(0, 12)
  if (refused.length === 0) return null
  return (
    <ul className={classes['refused']}>
      {refused.map(({ id, title, code }) => (
        <li key={id}>
          {textOf(title)}
          {code !== undefined && `${format.colon()}${textFor(`errors:${code}`, {}) ?? code}`}
        </li>
      ))}
    </ul>
  )
}
