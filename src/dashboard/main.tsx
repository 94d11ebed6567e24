import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { handleKey } from './app/shortcuts.ts';
import { applyTheme } from './app/theme.ts';

applyTheme();
addEventListener('keydown', handleKey);

const container = document.querySelector('#app');
if (container === null) throw new Error('The page has no element with the id "app"');
createRoot(container).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <App />
    </CSPProvider>
  </StrictMode>,
);
