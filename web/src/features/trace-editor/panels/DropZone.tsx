import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from '@/i18n'
import classes from './import.module.css'

const carriesFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

/** The whole editor takes a file that is dropped on it. */
export function DropZone({
  enabled,
  onFile,
  className,
  children,
}: {
  enabled: boolean
  onFile: (file: File) => void
  className: string
  children: ReactNode
}) {
  const { t } = useTranslation('trace')
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  if (!enabled) return <div className={className}>{children}</div>
  return (
    <div
      className={className}
      onDragEnter={(event) => {
        if (!carriesFile(event)) return
        depth.current += 1
        setOver(true)
      }}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1)
        if (depth.current === 0) setOver(false)
      }}
      onDragOver={(event) => carriesFile(event) && event.preventDefault()}
      onDrop={(event) => {
        depth.current = 0
        setOver(false)
        const file = event.dataTransfer.files.item(0)
        if (!file) return
        event.preventDefault()
        onFile(file)
      }}
    >
      {children}
      {over && (
        <div className={classes['drop']}>
          <p>{t('drop')}</p>
        </div>
      )}
    </div>
  )
}
