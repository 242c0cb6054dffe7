import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";

export const accountPage: Page = {
  path: "/account",
  title: "Your account",
  capability: "view",
  render(view) {
    return (
      <Card title="Password" lead="Changing your password signs you out on all other devices.">
        {view.actor.session.user.fixed
          ? (
            <Notice kind="plain">
              Your password is set by CFBE_ADMIN_PASSWORD. Change the variable and restart cfbe.
            </Notice>
          )
          : (
            <PostForm view={view} action="cfbe_change_password">
              <TextField
                path="current"
                label="Current password"
                type="password"
                required
                autocomplete="current-password"
              />
              <TextField
                path="password"
                label="New password"
                type="password"
                required
                minLength={10}
                autocomplete="new-password"
                help="At least 10 characters."
              />
              <div class="buttons">
                <button type="submit" class="primary">Change password</button>
              </div>
            </PostForm>
          )}
      </Card>
    );
  },
};
