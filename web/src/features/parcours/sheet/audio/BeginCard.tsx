import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import type { AudioWalkView } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { languageName } from '@/records/form/fields'
import { useForm } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { walkQuery } from './queries'
import { begunFrom } from './walk'

/** A walk that does not exist in this language yet may begin with the stops of another one. */
export function BeginCard({ view }: { view: AudioWalkView }) {
  const other = view.languages.find(({ language, stops }) => language !== view.language && stops !== null && stops > 0)
  const readOnly = useContext(ReadOnlyContext)
  return view.version === 0 && other !== undefined && !readOnly ? <Begin view={view} from={other.language} /> : null
}

function Begin({ view, from }: { view: AudioWalkView; from: string }) {
  const { t } = useTranslation('audioWalk')
  const store = useForm()
  const other = useQuery(walkQuery(view.id, from)).data
  const take = () => {
    if (other === undefined) return
    for (const [name, value] of Object.entries(begunFrom(other.walk))) store.set(name, value)
  }
  return (
    <Banner
      actions={
        <Button size="small" busy={other === undefined} onClick={take}>
          {t('begin.take')}
        </Button>
      }
    >
      {t('begin.text', { language: languageName(from), count: view.languages.find(({ language }) => language === from)?.stops ?? 0 })}
    </Banner>
  )
}
