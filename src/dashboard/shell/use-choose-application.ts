import { useSession } from '../api/session.ts';
import { PATHS } from '../app/paths.ts';
import { useOpen, usePath, withApplication } from '../app/url.tsx';

/** Returns a function that shows the screen that is open, of another application. */
export function useChooseApplication(): (id: string) => void {
  const { chooseApplication } = useSession();
  const open = useOpen();
  const path = usePath();
  return (id) => {
    chooseApplication(id);
    // Ids in the path belong to the application that was open.
    const list = PATHS.find((one) => one === `/${path.split('/')[1] ?? ''}`);
    open(withApplication(list ?? '/', id));
  };
}
