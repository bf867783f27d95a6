import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { TextInput } from '@/ui/field/inputs'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { fold } from '@/ui/text'
import { groups, type AreaKey } from './areas'
import classes from './settings.module.css'

export const texts = ['settings', 'resource']

/** `/settings`: every area in one page, found by a word. */
export function Page() {
  const { t } = useTranslation('settings')
  const { t: tr } = useTranslation('resource')
  const me = useMe()
  const [words, setWords] = useState('')
  usePageMeta([{ label: t('title') }])
  const nameOf = (key: AreaKey) =>
    key === 'bin' ||
    key === 'journal' ||
    key === 'jobs' ||
    key === 'status' ||
    key === 'watch' ||
    key === 'imports' ||
    key === 'importLogs' ||
    key === 'moves' ||
    key === 'sit' ||
    key === 'translations'
      ? t(key)
      : tr(`entity.${key}.many`)
  const found = groups
    .map((group) => ({
      ...group,
      areas: group.areas.filter(
        ({ key, may }) =>
          (may === undefined || me.capabilities.includes(may)) && fold(`${nameOf(key)} ${t(`area.${key}`)}`).includes(fold(words.trim())),
      ),
    }))
    .filter(({ areas }) => areas.length > 0)
  return (
    <>
      <PageHeader title={t('title')} facts={me.structure.name} />
      <div className={classes['page']}>
        <div className={classes['search']}>
          <TextInput type="search" value={words} onChange={setWords} placeholder={t('search')} aria-label={t('search')} />
        </div>
        <p className="visually-hidden" role="status">
          {found.length === 0 && t('nothing', { words })}
        </p>
        {found.length === 0 && <p className="muted">{t('nothing', { words })}</p>}
        {found.map(({ key, areas }) => (
          <section key={key} aria-labelledby={`group-${key}`}>
            <h2 id={`group-${key}`}>{t(`group.${key}`)}</h2>
            <ul className={classes['areas']}>
              {areas.map(({ key: area, path, icon: Mark }) => (
                <li key={area}>
                  <Link to={path} className={classes['area']}>
                    <Mark size={20} stroke={1.75} aria-hidden />
                    <span>
                      <strong>{nameOf(area)}</strong>
                      <span className="small muted">{t(`area.${area}`)}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
