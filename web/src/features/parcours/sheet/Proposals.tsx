import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import IconSparkles from '@tabler/icons-react/dist/esm/icons/IconSparkles.mjs'
import { useTranslation } from '@/i18n'
import type { Proposal } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import { format, textOf } from '@/ui/format'
import { wordsOfHtml } from '@/records/form/plain-value'
import { Words } from '@/records/history/Words'
import { problemText } from '@/records/problem-text'
import { useSheet } from './context'
import { sheetFieldName } from './field-name'
import { currentOf } from './retry-on-conflict'
import { decideProposal, parcoursQuery, proposalsQuery } from './queries'
import classes from './sheet.module.css'

/** Above the tabs: what assistants propose for this parcours, each accepted or refused here. */
export function Proposals() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const { data: proposals = [] } = useQuery({ ...proposalsQuery(parcours.id), enabled: parcours.editable })
  if (proposals.length === 0) return null
  return (
    <section className={classes['proposals']} aria-labelledby="proposals">
      <h2 id="proposals">
        <IconSparkles size={18} stroke={1.75} aria-hidden /> {t('proposal.title', { count: proposals.length })}
      </h2>
      <ul>
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            <One proposal={proposal} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A text of the parcours as it is saved. */
function savedText(parcours: object, field: string, language: string): string {
  const text: unknown = Reflect.get(parcours, field)
  const words: unknown = typeof text === 'object' && text !== null ? Reflect.get(text, language) : undefined
  return typeof words === 'string' ? words : ''
}

function One({ proposal }: { proposal: Proposal }) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const { step, language, text, before, note } = proposal
  const name =
    step != null
      ? t('proposal.step', { title: textOf(step.title) })
      : t('proposal.text', { field: sheetFieldName(proposal.field), language: language ?? '' })
  const now = savedText(parcours, proposal.field, language ?? '')
  return (
    <>
      <p>
        <strong>{name}</strong>{' '}
        <span className="small muted">
          {t('proposal.from', { token: proposal.token, name: proposal.by.name, when: format.ago(proposal.at) })}
        </span>
      </p>
      {text != null && (
        <p className={classes['proposed']} lang={language ?? undefined}>
          <Words before={wordsOfHtml(now)} after={wordsOfHtml(text)} />
        </p>
      )}
      {text != null && before != null && before !== now && (
        <div className="small">
          <p>{t('proposal.changed')}</p>
          <p className={classes['proposed']} lang={language ?? undefined}>
            {wordsOfHtml(before)}
          </p>
        </div>
      )}
      {step != null && <Step step={step} />}
      {note != null && note !== '' && <p className="small">{note}</p>}
      <Decide proposal={proposal} name={name} />
    </>
  )
}

function Step({ step }: { step: NonNullable<Proposal['step']> }) {
  const { t } = useTranslation('sheet')
  const [lon, lat] = step.position
  const description = textOf(step.description, '')
  const place = `${format.number(lat, 5)}, ${format.number(lon, 5)}`
  return (
    <>
      <p>{t('proposal.stepAt', { kind: t(`trace:kind.${step.kind}`), place })}</p>
      {description !== '' && <p className={classes['proposed']}>{description}</p>}
    </>
  )
}

function Decide({ proposal, name }: { proposal: Proposal; name: string }) {
  const { t } = useTranslation('sheet')
  const { parcours, cacheRecord } = useSheet()
  const cache = useQueryClient()
  const decide = useMutation({
    mutationFn: (accepted: boolean) => decideProposal(parcours.id, parcours.version, proposal.id, accepted),
    onSuccess: (after, accepted) => {
      cacheRecord(after)
      toast({ text: t(accepted ? 'proposal.accepted' : 'proposal.refused') })
    },
    onError: (error) => {
      // The present state is shown, with what the proposal would change of it.
      const current = currentOf(error)
      if (current !== null) cache.setQueryData(parcoursQuery(parcours.id).queryKey, current)
      toastError(t('error.because', { what: t('proposal.failed'), why: problemText(error) }))
    },
    onSettled: () => cache.invalidateQueries({ queryKey: proposalsQuery(parcours.id).queryKey }),
  })
  const button = (accepted: boolean, words: string) => (
    <Button
      size="small"
      look={accepted ? 'primary' : 'default'}
      busy={decide.isPending && decide.variables === accepted}
      aria-label={t('proposal.of', { what: words, title: name })}
      onClick={() => decide.mutate(accepted)}
    >
      {words}
    </Button>
  )
  return (
    <span className="row wrap">
      {button(true, t('proposal.accept'))}
      {button(false, t('proposal.refuse'))}
    </span>
  )
}
