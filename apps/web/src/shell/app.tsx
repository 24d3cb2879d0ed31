import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { queryClient } from '../platform/query.ts'
import { SessionProvider } from '../platform/session.tsx'
import { resolver, theme } from '../theme/mantine.ts'
import { isDark, useThemeName } from '../theme/themes.ts'
import { soon } from '../ui/soon.tsx'
import { Routing } from './routing.tsx'

const Notices = soon(() => import('./notices.tsx'))

export function App() {
  const dark = isDark(useThemeName())
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} forceColorScheme={dark ? 'dark' : 'light'}>
      <QueryClientProvider client={queryClient}>
        <Notices />
        <SessionProvider>
          <BrowserRouter>
            <Routing />
          </BrowserRouter>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
