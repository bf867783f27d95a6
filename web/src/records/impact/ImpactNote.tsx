import { useQuery } from '@tanstack/react-query'
import type { Impact } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Banner } from '@/ui/feedback/Banner'
import { impactQuery, impactWords, reaches, type ImpactAction, type ImpactKind } from './impact'

/** What an action affects, such as pages and shared links, as a list of sentences. */
export function ImpactList({ impact }: { impact: Impact }) {
  const { t } = useTranslation()
  return (
    <Banner tone="warn">
      <strong>{t('impact.title')}</strong>
      <ul style={{ listStyle: 'disc', paddingLeft: 18 }}>
        {impactWords(impact).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </Banner>
  )
}

/** Fetches what an action affects and lists it; shows nothing when the action affects no other person. */
export function ImpactNote({ kind, id, action }: { kind: ImpactKind; id: number; action: ImpactAction }) {
  const impact = useQuery(impactQuery(kind, id, action)).data
  return impact && reaches(impact) ? <ImpactList impact={impact} /> : null
}
