import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import classes from './Dialog.module.css'

export interface DialogProps {
  opened: boolean
  onClose: () => void
  title: ReactNode
  size?: 'small' | 'medium' | 'large'
  /** The buttons, main one last. */
  actions?: ReactNode
  /** It may only be left by one of its buttons. */
  mustAnswer?: boolean
  /** At the right edge, with what it is about in sight beside it. */
  beside?: boolean
  children?: ReactNode
}

const widths = { small: 440, medium: 600, large: 860 }

/** A dialog: focus goes in and comes back, Escape closes. */
export function Dialog({ opened, onClose, title, size = 'small', actions, mustAnswer = false, beside = false, children }: DialogProps) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened={opened} onClose={onClose} size={widths[size]} centered closeOnClickOutside={!mustAnswer} closeOnEscape={!mustAnswer} zIndex={200} transitionProps={{ duration: 120 }} classNames={{ content: classes['content'] ?? '', inner: beside ? (classes['beside'] ?? '') : '' }}>
      <Modal.Overlay {...(beside ? { backgroundOpacity: 0.2 } : {})} />
      <Modal.Content radius={14}>
        {/* A plain box: the library's own header would be a second banner of the page. */}
        <div className={classes['header']}>
          <Modal.Title className={classes['title'] ?? ''}>{title}</Modal.Title>
          {!mustAnswer && <Modal.CloseButton aria-label={t('close')} />}
        </div>
        <Modal.Body className={classes['body'] ?? ''}>
          {children}
          {actions && <div className={classes['actions']}>{actions}</div>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
