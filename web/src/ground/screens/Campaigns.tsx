import { useEffect, useState } from 'react'
import type { SurveyCampaign } from '@/api/types'
import { useTranslation } from '@/i18n'
import { format } from '@/ui/format'
import { useGround } from '../ground'
import { BigButton } from '../parts'
import { myCampaigns, parcoursFor } from '../downloads/assigned'

/** The campaigns in which one surveys: a button chooses their parcours. Nothing where there is none. */
export function Campaigns({ onChoose }: { onChoose: (parcours: { id: number; name: string }[]) => void }) {
  const { t } = useTranslation('ground')
  const { person } = useGround()
  const [campaigns, setCampaigns] = useState<SurveyCampaign[]>([])
  useEffect(() => {
    let isShown = true
    // Without an answer the list of parcours says what is wrong.
    myCampaigns().then((found) => isShown && setCampaigns(found), () => undefined)
    return () => {
      isShown = false
    }
  }, [])
  if (campaigns.length === 0) return null
  return (
    <section aria-labelledby="campaigns">
      <h2 id="campaigns">{t('campaign.title')}</h2>
      <ul className="cards">
        {campaigns.map((campaign) => {
          const { id, name, due_on: due, overdue, length_m: all, surveyed_m: done } = campaign
          const parcours = parcoursFor(campaign, person.id)
          return (
            <li key={id} className="card">
              <h3>{name}</h3>
              <p>
                {[
                  due === null ? '' : t(overdue ? 'campaign.untilLate' : 'campaign.until', { day: format.day(due) }),
                  all === 0 ? '' : t('campaign.progress', { done: format.km(done), all: format.km(all) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
              <BigButton onClick={() => onChoose(parcours)}>{t('campaign.choose', { count: parcours.length })}</BigButton>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
