import type { SitRecord, SitWord } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { textOf } from '@/ui/format'
import { fieldWords } from './data'
import classes from './sit.module.css'

/** The other values of the source, read-only. */
export function More({ record, language }: { record: SitRecord; language: string }) {
  const { t } = useTranslation('sit')
  const words = (list: readonly SitWord[]) => list.map(({ key, label }) => label[language] ?? textOf(label, key))
  const short = record.short[language] ?? ''
  const tariff = record.tariff[language] ?? ''
  return (
    <section className={classes['card']} aria-labelledby="sit-more">
      <h2 id="sit-more">{t('page.more')}</h2>
      {record.labels.length > 0 && (
        <p className={classes['badges']} aria-label={fieldWords('labels')}>
          {words(record.labels).map((label) => (
            <Badge key={label} tone="ok">
              {label}
            </Badge>
          ))}
        </p>
      )}
      <dl className={classes['more']}>
        {/* Sanitised by the server when it came in. */}
        {short !== '' && <dt>{fieldWords('short')}</dt>}
        {short !== '' && <dd className={classes['rich']} dangerouslySetInnerHTML={{ __html: short }} />}
        {tariff !== '' && <dt>{fieldWords('tariff')}</dt>}
        {tariff !== '' && <dd className={classes['lined']}>{tariff}</dd>}
        {record.words.length > 0 && <dt>{fieldWords('words')}</dt>}
        {record.words.length > 0 && <dd>{words(record.words).join(', ')}</dd>}
        {record.pictures.length > 0 && <dt>{fieldWords('pictures')}</dt>}
      </dl>
      {record.pictures.length > 0 && (
        <ul className={classes['pictures']}>
          {record.pictures.map(({ url, legend, credit, licence }, at) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer">
                {(legend[language] ?? textOf(legend)) || t('page.picture', { at: at + 1 })}
              </a>
              <span className="small muted">
                {[credit === null ? t('page.noCredit') : t('page.credit', { credit }), licence ?? '']
                  .filter((part) => part !== '')
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
