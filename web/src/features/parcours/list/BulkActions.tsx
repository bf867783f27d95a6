import { Menu } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '@/api/client'
import type { BulkReport } from '@/api/model'
import { useCan } from '@/api/session'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { toast, toastError } from '@/ui/feedback/toast'
import { textOf } from '@/ui/format'
import type { ListControl } from '@/ui/list/useListState'
import { problemText } from '@/ui/problem-text'
import { textFor, useTranslation } from '@/i18n'
import { bulkRequest, forecast, type BulkChoice } from './bulk'
import classes from './list.module.css'
import { filtersOf } from './queries'

const menus = [
  { key: 'distribution', choices: [{ action: 'distribute_own' }, { action: 'undistribute_own' }] },
  { key: 'bike', choices: [{ action: 'bike_carriage', value: 'yes' }, { action: 'bike_carriage', value: 'no' }, { action: 'bike_carriage', value: 'inherit' }] },
  { key: 'booking', choices: [{ action: 'bookable', value: 'yes' }, { action: 'bookable', value: 'no' }, { action: 'bookable', value: 'inherit' }] },
] satisfies { key: 'distribution' | 'bike' | 'booking'; choices: BulkChoice[] }[]

const single: BulkChoice[] = [{ action: 'publish' }, { action: 'unpublish' }, { action: 'use_source' }]

/** The actions over the ticked rows: each says what it would do, then can be undone. */
export function BulkActions({ list }: { list: ListControl }) {
  const { t } = useTranslation('parcours')
  const client = useQueryClient()
  const mayWrite = useCan('content.write')
  const maySell = useCan('agency.fields')
  const [planned, setPlanned] = useState<{ choice: BulkChoice; report: BulkReport } | null>(null)
  const filters = filtersOf(list.query)
  const renew = () => client.invalidateQueries({ queryKey: ['parcours'] })
  const failed = (error: unknown) => toastError(`${t('failed.action')} ${problemText(error)}`)

  const ask = useMutation({
    mutationFn: (choice: BulkChoice) => unwrap(api.POST('/api/v1/parcours/bulk', { body: bulkRequest(choice, list.selection, filters, true) })),
    onSuccess: (report, choice) => setPlanned({ choice, report }),
    onError: failed,
  })
  const undo = useMutation({
    mutationFn: (token: string) => unwrap(api.POST('/api/v1/parcours/bulk/undo', { body: { undo_token: token } })),
    onSuccess: () => {
      toast({ text: t('done.undone') })
      return renew()
    },
    onError: failed,
  })
  const apply = useMutation({
    mutationFn: (choice: BulkChoice) => unwrap(api.POST('/api/v1/parcours/bulk', { body: bulkRequest(choice, list.selection, filters, false) })),
    onSuccess: ({ undo_token: token }) => {
      setPlanned(null)
      list.clearSelection()
      toast({ text: t('done.action'), ...(token === undefined ? {} : { action: { label: t('common:cancel'), run: () => undo.mutate(token) } }) })
      return renew()
    },
    onError: failed,
  })
  const words = ({ action, value }: BulkChoice) => t(value === undefined ? `bulk.do.${action as 'publish'}` : `bulk.do.${action as 'bike_carriage'}_${value}`)
  const press = (choice: BulkChoice) => () => {
    if (!mayWrite) toastError(t('menu.readOnly'))
    else if (choice.action === 'bookable' && !maySell) toastError(t('bulk.agencyOnly'))
    else ask.mutate(choice)
  }
  return (
    <>
      {single.map((choice) => (
        <button key={choice.action} type="button" aria-disabled={!mayWrite || undefined} onClick={press(choice)}>
          {words(choice)}
        </button>
      ))}
      {menus.map(({ key, choices }) => (
        <Menu key={key} position="top" shadow="md" zIndex={160}>
          <Menu.Target>
            <button type="button" className={classes['bulkMenu']}>
              {t(`bulk.menu.${key}`)}
              <IconChevronDown size={15} stroke={2} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {choices.map((choice) => (
              <Menu.Item key={words(choice)} onClick={press(choice)}>
                {words(choice)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ))}
      {planned !== null && (
        <ConfirmDialog
          opened
          onClose={() => setPlanned(null)}
          title={words(planned.choice)}
          confirm={t('bulk.confirm', { count: planned.report.applied })}
          onConfirm={() => apply.mutateAsync(planned.choice).catch(() => undefined)}
        >
          <p>{forecast(planned.choice, planned.report)}</p>
          <Refused items={planned.report.items} />
        </ConfirmDialog>
      )}
    </>
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
          {code !== undefined && ` : ${textFor(`errors:${code}`, {})}`}
        </li>
      ))}
    </ul>
  )
}
