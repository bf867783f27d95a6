import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { useEffect, useRef } from 'react'
import { useTranslation } from '@/i18n'
import { IconButton } from '@/ui/button/Button'
import { useEditor, useEditorState } from '../../editor/context'
import { type WayTool, isWayTool, present } from '../../editor/state'
import { AvoidForm } from './AvoidForm'
import { BetweenForm } from './BetweenForm'
import { LoopForm } from './LoopForm'
import { Proposals } from './Proposals'
import { focusTool } from './focus'
import classes from './ways.module.css'

/** Other ways, a detour, a loop: the request above, the planner's proposals below. */
export default function WaysPanel() {
  const tool = useEditorState((state) => (isWayTool(state.tool) ? state.tool : null))
  return tool && <Asking key={tool} tool={tool} />
}

function Asking({ tool }: { tool: WayTool }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const source = useEditorState((state) => present(state).mode === 'source')
  const marks = useEditorState((state) => state.marks.join())
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => back.current?.focus({ preventScroll: true }), [])
  const close = () => {
    editor.choose('select')
    focusTool(tool)
  }
  return (
    <section className={classes['panel']} aria-label={t(`tool.${tool}`)}>
      <div className={classes['head']}>
        <IconButton
          ref={back}
          look="ghost"
          size="small"
          label={t('ways.close')}
          icon={<IconArrowLeft size={18} stroke={1.75} aria-hidden />}
          onClick={close}
        />
        <h2>{t(`tool.${tool}`)}</h2>
      </div>
      <div className={classes['scroll']}>
        {source && tool !== 'loop' ? (
          <p className={classes['note']}>{t('ways.source')}</p>
        ) : (
          <>
            {tool === 'ways' && <BetweenForm />}
            {tool === 'avoid' && <AvoidForm key={marks} />}
            {tool === 'loop' && <LoopForm />}
          </>
        )}
        <Proposals />
      </div>
    </section>
  )
}
