import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState, type KeyboardEvent } from 'react'
import { api, unwrap } from '@/api/client'
import type { SearchAnswer } from '@/api/types'
import { useMe } from '@/api/session'
import { textFor, useTranslation } from '@/i18n'
import { ClosedBadge } from '@/records/badge/record-badges'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { placeOf, titleText } from '@/records/resource/kinds'
import { useReturnFocus } from '@/ui/dialog/useReturnFocus'
import { keepRecent, ownGroups, readRecent, type Entry, type Group } from './entries'
import classes from './search.module.css'

/** Ctrl K: records, actions and pages by a few letters; arrows, Entrée, Échap. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('search')
  useReturnFocus()
  const me = useMe()
  const navigate = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [recent] = useState(() => readRecent(me.id))
  const [words] = useDebouncedValue(typed.trim(), 120)
  const seeks = words.length > 1 && !words.startsWith('>')
  const found = useQuery({
    queryKey: ['search', words],
    queryFn: () => unwrap(api.GET('/api/v1/search', { params: { query: { q: words } } })),
    enabled: seeks,
    placeholderData: keepPreviousData,
  })
  const records = seeks ? (found.data?.groups ?? []).flatMap(recordGroup) : []
  const own = ownGroups(typed, (capability) => me.capabilities.includes(capability), t)
  const groups: Group[] =
    typed.trim() === ''
      ? [...(recent.length > 0 ? [{ key: 'recent', title: t('recent'), entries: recent }] : []), ...own]
      : [...records, ...own]
  const entries = groups.flatMap((group) => group.entries)
  const current = Math.min(at, Math.max(0, entries.length - 1))
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return
    keepRecent(me.id, entry)
    onClose()
    const [path = entry.to, search] = entry.to.split('?')
    void navigate({ to: path, ...(search === undefined ? {} : { search: Object.fromEntries(new URLSearchParams(search)) }) })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(entries[current])
    else if (event.key === 'ArrowDown') setAt((current + 1) % Math.max(1, entries.length))
    else if (event.key === 'ArrowUp') setAt((current - 1 + entries.length) % Math.max(1, entries.length))
    else return
    event.preventDefault()
  }
  let index = -1
  return (
    <Modal.Root opened onClose={onClose} size={640} zIndex={350} yOffset="12vh" transitionProps={{ duration: 120 }}>
      <Modal.Overlay />
      <Modal.Content radius={14} aria-label={t('title')}>
        <div className={classes['head']}>
          <IconSearch size={18} stroke={1.75} aria-hidden />
          <input
            className={classes['input']}
            type="text"
            role="combobox"
            aria-expanded={entries.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={entries.length > 0 ? `${id}-${current}` : undefined}
            aria-autocomplete="list"
            aria-label={t('title')}
            placeholder={t('placeholder')}
            value={typed}
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setTyped(event.target.value)
              setAt(0)
            }}
            onKeyDown={onKey}
          />
          <kbd>{t('escape')}</kbd>
        </div>
        <div className={classes['list']} role="listbox" id={`${id}-list`} aria-label={t('results')}>
          {groups.map((group) => (
            <div key={group.key} role="group" aria-label={group.title}>
              <p className={classes['group']} aria-hidden="true">
                {group.title}
              </p>
              {group.entries.map((entry) => {
                index += 1
                const place = index
                return (
                  // The field that has the focus handles the keys.
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
                  <div
                    key={entry.key}
                    id={`${id}-${place}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={place === current}
                    className={classes['entry']}
                    onMouseMove={() => setAt(place)}
                    onClick={() => open(entry)}
                  >
                    <span className="ellipsis">{entry.label}</span>
                    {entry.closed === true && <ClosedBadge />}
                    {entry.hint !== undefined && <span className={classes['hint']}>{entry.hint}</span>}
                    {place === current && <IconArrowRight size={16} stroke={1.75} aria-hidden />}
                  </div>
                )
              })}
              {group.more !== undefined && group.more > 0 && (
                <p className={classes['more']}>{t('more', { count: group.more, total: format.number(group.more) })}</p>
              )}
            </div>
          ))}
        </div>
        <p className={classes['foot']} role="status">
          {found.error && seeks
            ? problemText(found.error)
            : entries.length === 0 && typed.trim() !== ''
              ? t('nothing', { words: typed.trim() })
              : t('hint')}
        </p>
      </Modal.Content>
    </Modal.Root>
  )
}

/** One kind of records; what has no place to go to is not shown. */
function recordGroup({ kind, items, total }: SearchAnswer['groups'][number]): Group[] {
  const entries = items.flatMap(({ id, title, subtitle, href, closed }): Entry[] => {
    const to = placeOf(kind, id) ?? href
    return to === undefined || to === null
      ? []
      : [
          {
            key: `${kind} ${id}`,
            label: titleText(title),
            to,
            ...(closed ? { closed } : {}),
            ...(subtitle ? { hint: titleText(subtitle) } : {}),
          },
        ]
  })
  return entries.length === 0 ? [] : [{ key: kind, title: textFor(`resource:use.${kind}`) ?? kind, entries, more: total - entries.length }]
}
