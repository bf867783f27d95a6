import IconBold from '@tabler/icons-react/dist/esm/icons/IconBold.mjs'
import IconH3 from '@tabler/icons-react/dist/esm/icons/IconH3.mjs'
import IconItalic from '@tabler/icons-react/dist/esm/icons/IconItalic.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconListNumbers from '@tabler/icons-react/dist/esm/icons/IconListNumbers.mjs'
import type { ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import classes from './RichText.module.css'

const tools = [
  ['bold', IconBold],
  ['italic', IconItalic],
  ['heading', IconH3],
  ['list', IconList],
  ['numbers', IconListNumbers],
  ['link', IconLink],
] as const

export type RichTool = (typeof tools)[number][0]

/** The buttons above a text with headings, lists and links. */
export function RichTools({
  controls,
  on = {},
  press,
  children,
}: {
  controls: string
  on?: Partial<Record<RichTool, boolean>>
  press: (tool: RichTool) => void
  children?: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <div className={classes['tools']} role="toolbar" aria-label={t('rich.tools')} aria-controls={controls}>
      {tools.map(([tool, Mark]) => (
        <button
          key={tool}
          type="button"
          aria-pressed={on[tool] ?? false}
          aria-label={t(`rich.${tool}`)}
          title={t(`rich.${tool}`)}
          onClick={() => press(tool)}
        >
          <Mark size={17} stroke={1.75} aria-hidden />
        </button>
      ))}
      {children}
    </div>
  )
}
