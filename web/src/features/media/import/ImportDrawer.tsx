import { Drawer } from '@mantine/core'
import { useTranslation } from '@/i18n'
import { ImportPanel } from './ImportPanel'

/** The upload panel beside the library; it can be closed while files are uploaded. */
export default function ImportDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('media')
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={380}
      zIndex={150}
      trapFocus={false}
      lockScroll={false}
      closeOnClickOutside={false}
    >
      <Drawer.Content aria-label={t('import.title')}>
        <Drawer.Body p={0} h="100%">
          <ImportPanel onClose={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
