import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState, type FormEvent } from 'react'
import { api, unwrap } from '@/api/client'
import type { Parcours } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { ButtonLink } from '@/ui/button/ButtonLink'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { Radios, SelectInput, TextInput } from '@/ui/field/inputs'
import { useVocabulary, vocabularyQuery } from '@/records/form/vocabulary'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { FileFirst, type Brought } from './new/FileFirst'
import { guessOf } from './new/guess'
import classes from './new/new.module.css'
import { uploadTrace } from './sheet/queries'

export const texts = ['parcours', 'trace']

export const load = ({ queryClient }: { queryClient: QueryClient }) => queryClient.ensureQueryData(vocabularyQuery('practice_type'))

/** `/parcours/new`: what a trace needs to be planned; the rest is written on the sheet. `?from=file`: the file comes first. */
export function Page() {
  const { t } = useTranslation('parcours')
  const fromFile = useSearch({ strict: false })['from'] === 'file'
  usePageMeta([{ label: t('crumb.contents') }, { label: t('list.title'), link: { to: '/parcours' } }, { label: t('new.title') }])
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayWrite = useCan('content.write')
  const practices = useVocabulary('practice_type')
  const [title, setTitle] = useState('')
  const [practice, setPractice] = useState<string | null>(null)
  const [shape, setShape] = useState<'loop' | 'oneway' | null>(null)
  const [asked, setAsked] = useState(false)
  const [brought, setBrought] = useState<Brought | null>(null)
  // Made already, though its trace was refused: a second try does not make a second one.
  const made = useRef<Parcours | null>(null)
  const take = (next: Brought | null) => {
    setBrought(next)
    if (next === null || next.read === brought?.read) return
    // What was written by hand stays.
    const guess = guessOf(next.file, next.read, practices.items)
    if (title.trim() === '') setTitle(guess.title)
    if (practice === null && guess.practice !== null) setPractice(String(guess.practice))
    if (shape === null) setShape(guess.shape)
  }
  const create = useMutation({
    mutationFn: async () => {
      made.current ??= await unwrap(
        api.POST('/api/v1/parcours', {
          body: { title: { fr: title.trim() }, practice_type_id: Number(practice), is_loop: shape === 'loop' },
        }),
      )
      if (brought !== null) await uploadTrace(made.current.id, made.current.version, brought.file, brought.pieces)
      return made.current
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['parcours'] })
      await navigate({ to: '/parcours/$id/edit-trace', params: { id: String(id) } })
    },
  })
  const missing = {
    file:
      fromFile && brought === null
        ? t('new.fileMissing')
        : fromFile && brought?.apart === true && brought.pieces === null
          ? t('new.piecesMissing')
          : undefined,
    title: title.trim() === '' ? t('new.titleMissing') : undefined,
    practice: practice === null ? t('new.practiceMissing') : undefined,
    shape: shape === null ? t('new.shapeMissing') : undefined,
  }
  const incomplete = Object.values(missing).some((why) => why !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (!incomplete) create.mutate()
  }
  const fault = (why: string | undefined) => (asked && why !== undefined ? { error: why } : {})
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
          {fromFile && <FileFirst brought={brought} onChange={take} error={asked ? missing.file : undefined} />}
          {fromFile && brought !== null && <p className={classes['lead']}>{t('new.guessed')}</p>}
          <Field label={t('new.name')} required {...fault(missing.title)}>
            {(wiring) => <TextInput {...wiring} value={title} onChange={setTitle} maxLength={200} autoFocus={!fromFile} />}
          </Field>
          <Field label={t('new.practice')} required {...fault(missing.practice)}>
            {(wiring) => (
              <SelectInput {...wiring} value={practice} onChange={setPractice} choices={practices.choices} empty={t('new.choose')} />
            )}
          </Field>
          <Radios
            label={t('new.shape')}
            value={shape}
            onChange={setShape}
            choices={[
              { value: 'loop', label: t('fact.loop') },
              { value: 'oneway', label: t('fact.oneWay') },
            ]}
          />
          {asked && missing.shape !== undefined && (
            <p className={classes['fill']} role="alert">
              {missing.shape}
            </p>
          )}
          {asked && incomplete && (
            <p className={classes['fill']} role="alert">
              {t('common:fillAll')}
            </p>
          )}
          <div className={classes['actions']}>
            <ButtonLink to="/parcours">{t('common:cancel')}</ButtonLink>
            <Button type="submit" look="primary" busy={create.isPending} disabledReason={mayWrite ? undefined : t('menu.readOnly')}>
              {t(fromFile ? 'new.import' : 'new.create')}
            </Button>
          </div>
        </form>
      </Card>
    </div>
  )
}
