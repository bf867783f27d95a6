import { Component, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'

function Failed({ retry }: { retry: () => void }) {
  const { t } = useTranslation()
  return (
    <div role="alert" style={{ padding: 16, fontSize: 13 }}>
      {t('partFailed')}{' '}
      <button
        type="button"
        onClick={retry}
        style={{ border: 0, background: 'none', padding: 0, color: 'var(--primary)', textDecoration: 'underline', cursor: 'pointer' }}
      >
        {t('retry')}
      </button>
    </div>
  )
}

/** For a part the rest of the page works without (a map, a chart): only the part that failed says so. */
export class ErrorIsland extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    console.error(error)
  }

  override render() {
    return this.state.failed ? <Failed retry={() => this.setState({ failed: false })} /> : this.props.children
  }
}
