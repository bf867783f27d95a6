import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { isStale, ProblemError } from '@/api/problem'
import type { SitRecordPage } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button, IconButton } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { Field, type Wiring } from '@/ui/field/Field'
import { NumberInput, TextArea, TextInput } from '@/ui/field/inputs'
import { RichText } from '@/ui/rich-text/RichText'
import { format } from '@/ui/format'
import { LeaveGuard } from '@/records/form/LeaveGuard'
import { UnsavedPaths } from '@/records/form/unsaved'
import { faultText, problemText } from '@/records/problem-text'
import { changeRecord, fieldWords, refresh } from './data'
import { changedPlace, wholePlace, type OwnPlace } from './own-place'
import classes from './sit.module.css'

type Draft = Record<string, unknown>
interface Address {
  street: string | null
  postcode: string | null
  city: string | null
}

const texts = ['title', 'description', 'opening'] as const
const lines = ['phone', 'email', 'website', 'booking_url'] as const

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || value === '<p></p>'

/** Field by field: the source's value, read-only, and its override. */
export function Overrides({ record, language }: { record: SitRecordPage; language: string }) {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  const [draft, setDraft] = useState<Draft>(record.overrides)
  const place = record.record.position
  const save = useMutation({
    mutationFn: () => {
      const names = [...new Set([...Object.keys(record.overrides), ...Object.keys(draft)])]
      const changed = names.filter((name) => !same(draft[name], record.overrides[name]))
      const sent = (name: string) => (name === 'location' ? wholePlace(draft[name] as OwnPlace, place) : draft[name])
      return changeRecord(record, {
        overrides: Object.fromEntries(changed.map((name) => [name, isEmpty(draft[name]) ? null : sent(name)])),
      })
    },
    onSuccess: async (saved) => {
      toast({ text: t('page.saved') })
      setDraft(saved.overrides)
      await refresh(cache)
    },
    onError: async (error) => {
      // The last version is fetched; what was typed stays.
      if (isStale(error)) await refresh(cache)
    },
  })
  const changed = !same(draft, record.overrides)
  const [unsaved] = useState(() => new UnsavedPaths())
  useEffect(() => {
    const names = [...new Set([...Object.keys(record.overrides), ...Object.keys(draft)])]
    unsaved.set(names.filter((name) => !same(draft[name], record.overrides[name])))
  }, [unsaved, draft, record.overrides])
  const faults: Record<string, string> =
    save.error instanceof ProblemError
      ? Object.fromEntries(save.error.faults.map((fault) => [(fault.field ?? '').split('/')[1] ?? '', faultText(fault)]))
      : {}
  const set = (name: string, value: unknown) =>
    setDraft(isEmpty(value) ? Object.fromEntries(Object.entries(draft).filter(([known]) => known !== name)) : { ...draft, [name]: value })
  const saidText = (field: string): string => {
    const text = record.said[field] as Record<string, string> | undefined
    return text?.[language] ?? ''
  }
  const saidLine = (field: string): string => (record.said[field] as string | null) ?? ''
  const address = (record.said['address'] as Address | undefined) ?? { street: null, postcode: null, city: null }
  const ownAddress = draft['address'] as Address | undefined
  const ownPlace = draft['location'] as OwnPlace | undefined
  const setPlace = (part: 0 | 1, degrees: number | null) => set('location', changedPlace(ownPlace, place, part, degrees))
  const row = (name: string, theirs: ReactNode, input: (wiring: Wiring) => ReactNode) => {
    const [field = name] = name.split('/')
    const overridden = draft[name] !== undefined
    return (
      <li key={name} className={classes['pair']} data-said={overridden || undefined}>
        <div className={classes['theirs']}>
          <p className={classes['name']}>{fieldWords(name)}</p>
          <div>{theirs === '' || theirs === null ? <span className="muted">{t('page.nothing')}</span> : theirs}</div>
        </div>
        <Field
          label={`${fieldWords(name.split('/')[0] ?? name)} · ${t('page.ours')}`}
          hint={overridden ? t('page.instead') : t('page.same')}
          error={faults[field]}
          path={name}
          aside={
            overridden &&
            record.editable && (
              <IconButton
                label={t('page.letGo', { field: fieldWords(name) })}
                look="ghost"
                size="small"
                icon={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
                onClick={() => set(name, null)}
              />
            )
          }
        >
          {input}
        </Field>
      </li>
    )
  }
  const off = !record.editable
  return (
    <form
      className={classes['part']}
      aria-labelledby="sit-compare"
      onSubmit={(event) => {
        event.preventDefault()
        if (changed && !off) save.mutate()
      }}
    >
      <LeaveGuard
        store={unsaved}
        draft={false}
        save={() =>
          save.mutateAsync().then(
            () => true,
            () => false,
          )
        }
      />
      <h2 id="sit-compare">{t('page.compare')}</h2>
      <p className="small muted">{t('page.compareText')}</p>
      {save.error && (
        <Banner tone="danger" live="alert">
          {isStale(save.error)
            ? t('page.stale')
            : format.labelled(t('page.saveError'), Object.values(faults).join(' ') || problemText(save.error))}
        </Banner>
      )}
      <fieldset disabled={off} className={classes['bare']}>
        <ul className={classes['pairs']}>
          {texts.map((field) => {
            const name = `${field}/${language}`
            const value = (draft[name] as string | undefined) ?? ''
            const theirs = saidText(field)
            if (field === 'title')
              return row(name, theirs, (wiring) => (
                <TextInput {...wiring} value={value} onChange={(words) => set(name, words)} maxLength={200} />
              ))
            if (field === 'opening')
              return row(name, <span className={classes['lined']}>{theirs}</span>, (wiring) => (
                <TextArea {...wiring} rows={4} value={value} onChange={(words) => set(name, words)} />
              ))
            // The server sanitised it when it was imported.
            return row(
              name,
              theirs === '' ? '' : <div className={classes['rich']} dangerouslySetInnerHTML={{ __html: theirs }} />,
              (wiring) => (
                <RichText
                  wiring={wiring}
                  label={`${fieldWords(name)} · ${t('page.ours')}`}
                  value={value}
                  onChange={(html) => set(name, html)}
                />
              ),
            )
          })}
          {row('location', place === null ? '' : `${place[1]}, ${place[0]}`, (wiring) => (
            <span className={classes['two']}>
              <NumberInput
                {...wiring}
                aria-label={t('page.latitude')}
                value={ownPlace?.[1] ?? null}
                decimals={6}
                onChange={(north) => setPlace(1, north)}
              />
              <NumberInput
                aria-label={t('page.longitude')}
                value={ownPlace?.[0] ?? null}
                decimals={6}
                onChange={(east) => setPlace(0, east)}
              />
            </span>
          ))}
          {row(
            'address',
            [address.street, [address.postcode, address.city].filter(Boolean).join(' ')].filter(Boolean).join(', '),
            (wiring) => (
              <span className={classes['stack']}>
                {(['street', 'postcode', 'city'] as const).map((part, at) => (
                  <TextInput
                    key={part}
                    {...(at === 0 ? wiring : {})}
                    aria-label={t(part === 'city' ? 'page.town' : `page.${part}`)}
                    placeholder={t(part === 'city' ? 'page.town' : `page.${part}`)}
                    value={ownAddress?.[part] ?? ''}
                    onChange={(words) => {
                      const next = { street: null, postcode: null, city: null, ...ownAddress, [part]: words === '' ? null : words }
                      set('address', next.street === null && next.postcode === null && next.city === null ? null : next)
                    }}
                  />
                ))}
              </span>
            ),
          )}
          {lines.map((name) =>
            row(name, saidLine(name), (wiring) => (
              <TextInput {...wiring} value={(draft[name] as string | undefined) ?? ''} onChange={(words) => set(name, words)} />
            )),
          )}
        </ul>
      </fieldset>
      <div className={classes['foot']}>
        <Button
          type="submit"
          look="primary"
          busy={save.isPending}
          {...(off ? { disabledReason: t('page.notAllowed') } : changed ? {} : { disabledReason: t('page.unchanged') })}
        >
          {t('page.save')}
        </Button>
      </div>
    </form>
  )
}
