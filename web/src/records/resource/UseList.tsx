import { Link } from '@tanstack/react-router'
import type { RecordUse } from '@/api/types'
import { textFor, useTranslation } from '@/i18n'
import { placeOf, titleText } from './kinds'
import classes from './resource.module.css'

/** What uses a record, each a link to it where it has a screen. */
export function UseList({ uses, total, hidden }: { uses: readonly RecordUse[]; total: number; hidden: number }) {
  const { t } = useTranslation('resource')
  return (
    <ul className={classes['uses']}>
      {uses.map((use) => {
        const place = placeOf(use.kind, use.id)
        const words = (
          <>
            <span className="muted">{textFor(`resource:use.${use.kind}`) ?? use.kind}</span> {titleText(use.title)}
          </>
        )
        return <li key={`${use.kind} ${use.id}`}>{place === undefined ? words : <Link to={place}>{words}</Link>}</li>
      })}
      {total - hidden > uses.length && <li className="muted">{t('delete.more', { count: total - hidden - uses.length })}</li>}
      {hidden > 0 && <li className="muted">{t(uses.length > 0 ? 'delete.hidden' : 'delete.hiddenOnly', { count: hidden })}</li>}
    </ul>
  )
}
