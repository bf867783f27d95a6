import { Popover } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from '@/i18n'
import type { Route } from '@/api/types'
import { format } from '@/ui/format'
import { useEditor, useEditorState } from '../../editor/context'
import { shownLine } from '../../editor/shown'
import measures from '../profile.module.css'
import { useGroundWords } from './ground-words'
import { SurfaceBar } from './SurfaceBar'
import classes from './ways.module.css'

type Found = { readonly line: unknown; readonly route: Route | null }

/** The ground along the planned line, requested when it is opened. */
export default function GroundFigure() {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const line = useEditorState(shownLine)
  const [opened, setOpened] = useState(false)
  const [found, setFound] = useState<Found | null>(null)
  const now = found?.line === line ? found : null
  useEffect(() => {
    if (!opened || now) return undefined
    const stop = new AbortController()
    editor.ground(stop.signal).then(
      (route) => setFound({ line, route }),
      () => stop.signal.aborted || setFound({ line, route: null }),
    )
    return () => stop.abort()
  }, [editor, opened, line, now])
  return (
    <Popover opened={opened} onChange={setOpened} width={300} position="top-start" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <button
          type="button"
          className={measures['figure']}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          <span className={measures['explain']}>{t('ground.title')}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={measures['how']} aria-label={t('ground.title')}>
        <div tabIndex={-1} data-autofocus aria-busy={now === null} className={classes['ground']}>
          {now === null ? <p>{t('tip.planning')}</p> : now.route === null ? <p>{t('ground.unknown')}</p> : <Ground route={now.route} />}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function Ground({ route }: { route: Route }) {
  const { t } = useTranslation('trace')
  const { parts } = useGroundWords()
  const whole = Math.max(1, route.distance_m)
  return (
    <>
      <SurfaceBar surfaces={route.surfaces} />
      {(['surfaces', 'kinds'] as const).map((about) => (
        <section key={about}>
          <h3>{t(`ground.${about}`)}</h3>
          <dl>
            {parts(route, about).map(({ words, length_m }) => (
              <div key={words}>
                <dt>{words}</dt>
                <dd className="num">
                  {format.distance(length_m)} · {format.percent(Math.round((100 * length_m) / whole), 0)}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}
