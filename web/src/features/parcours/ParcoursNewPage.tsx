import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { api, unwrap } from '@/api/client'
import type { Parcours, ParcoursPatch } from '@/api/types'
import { requireCapability } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { Radios, SelectInput, TextInput } from '@/ui/field/inputs'
import { focusFirstFault } from '@/records/form/focus'
import { LeaveGuard } from '@/records/form/LeaveGuard'
import { same } from '@/records/form/paths'
import { UnsavedPaths } from '@/records/form/unsaved'
import { useVocabulary, vocabularyQuery } from '@/records/form/vocabulary'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { FileFirst, type Brought } from './new/FileFirst'
import { guessOf } from './new/guess'
import classes from './new/new.module.css'
import { save, uploadTrace } from './sheet/queries'

export const texts = ['parcours', 'trace']

export async function load({ queryClient }: { queryClient: QueryClient }) {
  await requireCapability(queryClient, 'content.write')
  await queryClient.ensureQueryData(vocabularyQuery('practice_type'))
}

/** `/parcours/new`: what a trace needs to be planned; the rest is written on the sheet. `?from=file`: the file comes first. */
export function Page() {
  const { t } = useTranslation('parcours')
  const fromFile = useSearch({ strict: false })['from'] === 'file'
  usePageMeta([{ label: t('crumb.contents') }, { label: t('list.title'), link: { to: '/parcours' } }, { label: t('new.title') }])
  const navigate = useNavigate()
  const client = useQueryClient()
  const practices = useVocabulary('practice_type')
  const [title, setTitle] = useState('')
  const [practice, setPractice] = useState<string | null>(null)
  const [shape, setShape] = useState<'loop' | 'oneway' | null>(null)
  const [attempted, setAttempted] = useState(false)
  const [brought, setBrought] = useState<Brought | null>(null)
  /** The parcours created by a first attempt whose trace was refused: the next attempt updates it. */
  const created = useRef<{ parcours: Parcours; body: ParcoursPatch } | null>(null)
  const chooseFile = (next: Brought | null) => {
    setBrought(next)
    if (next === null || next.read === brought?.read) return
    // Only empty fields are filled from the file.
    const guess = guessOf(next.file, next.read, practices.items)
    if (title.trim() === '') setTitle(guess.title)
    if (practice === null && guess.practice !== null) setPractice(String(guess.practice))
    if (shape === null) setShape(guess.shape)
  }
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const create = useMutation({
    mutationFn: async () => {
      const body = { title: { fr: title.trim() }, practice_type_id: Number(practice), is_loop: shape === 'loop' }
      const before = created.current
      if (before === null) created.current = { parcours: await unwrap(api.POST('/api/v1/parcours', { body })), body }
      else if (!same(before.body, body)) created.current = { parcours: await save(before.parcours.id, body, before.parcours.version), body }
      const { parcours } = created.current ?? {}
      if (parcours === undefined) throw new Error('no parcours was created')
      if (brought !== null) await uploadTrace(parcours.id, parcours.version, brought.file, brought.pieces)
      return parcours
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['parcours'] })
      // The page may have been left while it was created.
      if (isHere.current) await navigate({ to: '/parcours/$id/edit-trace', params: { id: String(id) }, ignoreBlocker: true })
    },
  })
  const missing = {
    file: fromFile && brought === null ? t('new.fileMissing') : undefined,
    pieces: fromFile && brought?.apart === true && brought.pieces === null ? t('new.piecesMissing') : undefined,
    title: title.trim() === '' ? t('new.titleMissing') : undefined,
    practice_type_id: practice === null ? t('new.practiceMissing') : undefined,
    is_loop: shape === null ? t('new.shapeMissing') : undefined,
  }
  const emptyFields = Object.entries(missing).flatMap(([field, why]) => (why === undefined ? [] : [field]))
  const incomplete = emptyFields.length > 0
  /** Shows a message at each empty field and focuses the first one. */
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAttempted(true)
    focusFirstFault(emptyFields)
    if (!incomplete) create.mutate()
  }
  const [unsaved] = useState(() => new UnsavedPaths())
  useEffect(() => {
    const filled = { file: brought !== null, title: title.trim() !== '', practice_type_id: practice !== null, is_loop: shape !== null }
    unsaved.set(Object.entries(filled).flatMap(([field, is]) => (is ? [field] : [])))
  }, [unsaved, brought, title, practice, shape])
  const fault = (why: string | undefined) => (attempted && why !== undefined ? { error: why } : {})
  return (
    <div className={classes['page']}>
      <PageHeader title={t(fromFile ? 'new.fileTitle' : 'new.title')} />
      <Card>
        <form className={classes['form']} onSubmit={submit} noValidate>
          <p className={classes['lead']}>{t(fromFile ? 'new.fileLead' : 'new.lead')}</p>
          {create.error && (
            <Banner tone="danger" live="alert">
              {t('failed.save')} {problemText(create.error)}
            </Banner>
          )}
          {fromFile && (
            <FileFirst
              brought={brought}
              onChange={chooseFile}
              error={attempted ? missing.file : undefined}
              piecesError={attempted ? missing.pieces : undefined}
            />
          )}
          {fromFile && brought !== null && <p className={classes['lead']}>{t('new.guessed')}</p>}
          <Field label={t('new.name')} required path="title" {...fault(missing.title)}>
            {(wiring) => <TextInput {...wiring} value={title} onChange={setTitle} maxLength={200} autoFocus={!fromFile} />}
          </Field>
          <Field label={t('new.practice')} required path="practice_type_id" {...fault(missing.practice_type_id)}>
            {(wiring) => (
              <SelectInput {...wiring} value={practice} onChange={setPractice} choices={practices.choices} empty={t('new.choose')} />
            )}
          </Field>
          <Radios
            label={t('new.shape')}
            required
            data-field="is_loop"
            {...fault(missing.is_loop)}
            value={shape}
            onChange={setShape}
            choices={[
              { value: 'loop', label: t('fact.loop') },
              { value: 'oneway', label: t('fact.oneWay') },
            ]}
          />
          {attempted && incomplete && (
            <p className={classes['fill']} role="alert">
              {t('common:fillAll')}
            </p>
          )}
          <div className={classes['actions']}>
            <ButtonLink to="/parcours">{t('common:cancel')}</ButtonLink>
            <Button type="submit" look="primary" busy={create.isPending}>
              {t(fromFile ? 'new.import' : 'new.create')}
            </Button>
          </div>
        </form>
      </Card>
      <LeaveGuard store={unsaved} draft={false} />
    </div>
  )
}
