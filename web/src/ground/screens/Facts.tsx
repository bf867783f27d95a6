import { memo } from 'react'
import { currentLocale, useTranslation } from '@/i18n'
import { stepLabels } from '@/records/parcours/step-labels'
import { format, textOf } from '@/ui/format'
import type { Download } from '../downloads/types'
import { BigButton, ScreenLink } from '../parts'
import type { Entry } from '../queue/entry'
import type { Target } from './draft'

/** What the map shows, in words. Hundreds of rows: they are not rendered at each position. */
export const Facts = memo(function Facts({
  download,
  inside,
  own,
  onCorrect,
}: {
  download: Download
  /** The parcours in an area. */
  inside: readonly Download[]
  own: readonly Entry[]
  /** Opens the form that corrects a step or a place; absent for readers. */
  onCorrect: ((target: Target) => void) | undefined
}) {
  const language = currentLocale()
  const { t } = useTranslation('ground')
  const { steps, pois, reports, closures } = download.parts
  const labels = stepLabels(steps)
  return (
    <div className="lists">
      <FactList title={t('list.parcours')}>
        {inside.map(({ id, parts }) => (
          <li key={id}>
            <ScreenLink to={{ screen: 'parcours', id }}>{textOf(parts.title)}</ScreenLink>
          </li>
        ))}
      </FactList>
      <FactList title={t('list.closures')}>
        {closures.map(({ id, title, from, to, stretches }) => (
          <li key={id}>
            {textOf(title)}
            <small>
              {to == null ? t('closures:since', { from: format.day(from) }) : t('closures:between', { from: format.day(from), to: format.day(to) })}
              {stretches.map(({ from_m, to_m }) => ` · ${t('list.stretch', { from: format.km(from_m), to: format.km(to_m) })}`)}
            </small>
          </li>
        ))}
      </FactList>
      <FactList title={t('list.reports')}>
        {reports.map(({ id, kind, text, at_m, sent_at }) => (
          <li key={id}>
            {t(`reviews:reports.kind.${kind}`)}
            <small>{[at_m == null ? '' : format.km(at_m), format.day(sent_at), text].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
      </FactList>
      <FactList title={t('list.steps')}>
        {steps.map((step, index) => (
          <li key={step.id}>
            {labels[index]}. {textOf(step.title)}
            {step.at_m != null && <small>{format.km(step.at_m)}</small>}
            {onCorrect !== undefined && (
              <BigButton
                aria-label={t('correct.of', { name: `${labels[index] ?? ''}. ${textOf(step.title, '')}` })}
                onClick={() =>
                  onCorrect({
                    kind: 'step',
                    id: step.id,
                    title: step.title[language] ?? '',
                    text: step.description[language] ?? '',
                    position: [step.position[0], step.position[1]],
                  })
                }
              >
                {t('correct.button')}
              </BigButton>
            )}
          </li>
        ))}
      </FactList>
      <FactList title={t(download.area === undefined ? 'list.pois' : 'list.poisOfArea')}>
        {pois.map(({ id, title, description, location, mine }) => (
          <li key={id}>
            {textOf(title)}
            {onCorrect !== undefined && mine === true && (
              <BigButton
                aria-label={t('correct.of', { name: textOf(title) })}
                onClick={() =>
                  onCorrect({ kind: 'poi', id, title: title[language] ?? '', text: description?.[language] ?? '', position: location })
                }
              >
                {t('correct.button')}
              </BigButton>
            )}
          </li>
        ))}
      </FactList>
      <FactList title={t('list.own')}>
        {own.map((entry) => (
          <li key={entry.id}>
            {t(`kind.${entry.content.kind}`)}
            <small>{[entry.content.title, entry.content.text, format.time(entry.content.made_at), t(`state.${entry.state}`)].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
      </FactList>
      <PhotoStrip download={download} />
    </div>
  )
})

function PhotoStrip({ download }: { download: Download }) {
  const { t } = useTranslation('ground')
  const shown = download.parts.pictures.filter(({ thumb_url }) => thumb_url !== null)
  if (shown.length === 0) return null
  return (
    <details>
      <summary>{t('list.photos', { count: shown.length })}</summary>
      <ul className="photos">
        {shown.map(({ id, thumb_url, alt, legend, file_name }) => (
          <li key={id}>
            <img src={thumb_url ?? undefined} alt={textOf(alt, textOf(legend, file_name))} loading="lazy" />
          </li>
        ))}
      </ul>
    </details>
  )
}

function FactList({ title, children }: { title: string; children: React.ReactElement[] }) {
  if (children.length === 0) return null
  return (
    <details>
      <summary>
        {title} <span className="count">{children.length}</span>
      </summary>
      <ul>{children}</ul>
    </details>
  )
}
